import { DAY_MS } from '../../../platform/time/clock.ts'
import type { MatchingPolicy } from '../../merchants/index.ts'
import { foldText, nameTokens, sameName } from '../../../kernel/fold.ts'
import type { DepositFlag, DepositStatus } from '../../deposits/index.ts'
import { LATE_PAYMENT_DAYS } from '../../deposits/index.ts'

export type LineFacts = {
  collectingAccountId: string
  amount: bigint
  direction: 'credit' | 'debit'
  bookedAt: Date
  /** The bank gave a day and no time: `bookedAt` is the start of that day. */
  wholeDay?: boolean
  senderName: string
  /** The sender's IBAN is one of our collecting accounts. */
  fromOwnAccount: boolean
  narrative: string
}

/** A deposit that the line may be for, with what arrived for it before this line. */
export type Candidate = {
  merchantId: string
  id: string
  how: 'word' | 'embedded'
  status: DepositStatus
  amount: bigint
  receivedAmount: bigint
  flags: DepositFlag[]
  customerName: string
  /** Its current and previous collecting accounts: the customer may have saved an earlier one. */
  accounts: string[]
  createdAt: Date
  expiresAt: Date
  policy: MatchingPolicy
}

export type Reason = { field: 'reference' | 'amount' | 'account' | 'name' | 'time'; verdict: string }

const LATE_WINDOW_MS = LATE_PAYMENT_DAYS * DAY_MS

/** The last time at which the money can have been booked: a deposit made later on the same day was made before it. */
export function bookedUntil({ bookedAt, wholeDay = false }: Pick<LineFacts, 'bookedAt' | 'wholeDay'>): Date {
  return wholeDay ? new Date(bookedAt.getTime() + DAY_MS - 1) : bookedAt
}

/** Why the money is for this deposit, for people: they explain the decision and never make it. */
export function reasonsOf(line: LineFacts, candidate: Candidate): Reason[] {
  return [
    {
      field: 'reference',
      verdict: candidate.how === 'word' ? 'the code stands in the text' : 'the code can be read inside other text',
    },
    amountReason(line, candidate),
    // Money on another account is not credited by itself.
    { field: 'account', verdict: 'on its account' },
    nameReason(line, candidate),
    timeReason(line, candidate),
  ]
}

function amountReason(line: LineFacts, { amount, receivedAmount, policy }: Candidate): Reason {
  const field = 'amount'
  const difference = receivedAmount + line.amount - amount
  if (difference === 0n) {
    return { field, verdict: receivedAmount > 0n ? 'exactly the missing rest' : 'exactly the amount asked' }
  }
  if (line.amount === amount) return { field, verdict: 'the amount asked, once more' }
  if (withinTolerance(difference, policy)) return { field, verdict: 'within the tolerance' }
  return { field, verdict: difference < 0n ? 'less than asked' : 'more than asked' }
}

export function withinTolerance(difference: bigint, policy: MatchingPolicy): boolean {
  return policy.amount === 'tolerance' && (difference < 0n ? -difference : difference) <= policy.tolerance
}

function nameReason(line: LineFacts, { customerName }: Candidate): Reason {
  const field = 'name'
  const verdict = senderVerdict(line, customerName)
  if (verdict === 'same') return { field, verdict: "the customer's name" }
  return { field, verdict: verdict === 'different' ? 'another name' : 'no name given' }
}

function timeReason(line: LineFacts, candidate: Candidate): Reason {
  const field = 'time'
  if (!(bookedUntil(line) >= candidate.createdAt)) return { field, verdict: 'before the deposit was made' }
  if (line.bookedAt <= candidate.expiresAt) return { field, verdict: 'in time' }
  if (withinLateWindow(line, candidate)) return { field, verdict: 'late' }
  return { field, verdict: 'more than 30 days late' }
}

export function withinLateWindow(line: LineFacts, { expiresAt }: Candidate): boolean {
  return line.bookedAt.getTime() - expiresAt.getTime() <= LATE_WINDOW_MS
}

/** Compares the sender with the customer. `unknown` only if the bank gave no name at all. */
export function senderVerdict(line: LineFacts, customerName: string): 'same' | 'different' | 'unknown' {
  if (sameName(line.senderName, customerName)) return 'same'
  const named = sendsForOthers(line.senderName) ? nameInNarrative(line.narrative) : []
  // One word more than the customer's name may be a second name; what follows is other text, perhaps another person.
  const near = named.slice(0, nameTokens(customerName).length + 1)
  if (sameName(near.join(' '), customerName)) return 'same'
  return nameTokens(line.senderName).length + named.length > 0 ? 'different' : 'unknown'
}

/**
 * Wallets and banks send under their own name. Only then is the sender read from the text, because a
 * stranger could write the customer's name there. A single word is a brand or noise, never a full name.
 */
function sendsForOthers(senderName: string): boolean {
  return (
    nameTokens(senderName).length === 0 ||
    /\b(?:ELEKTRONIK(?: P|$)|ODEME|CUZDAN|PAPARA|ININAL|TOSLA|\w*BANK(?:ASI)?\b)/.test(foldText(senderName))
  )
}

const LABELS = new Set(['AD', 'ADI', 'SOYAD', 'SOYADI', 'ISIM', 'ISMI', 'UNVAN', 'UNVANI', 'KISI', 'MUSTERI'])
const NOT_A_NAME =
  /\d|^(?:ACIKLAMA|ACIKLAMASI|ALICI|BANKA|BANKASI|HESAP|HESABI|IBAN|ISLEM|KOD|NO|REF|REFERANS|SORGU|TUTAR|TARIH|FAST|EFT|HAVALE|GONDEREN)$/

/** The words after the first `Gönderen` followed by a name, up to a separator, a number or the next label. */
function nameInNarrative(narrative: string): string[] {
  // Folding removes the separators that end a name: a lone | keeps each as a separate word.
  const parts = narrative.slice(0, 500).split(/[:;,|/()*<>\r\n\t]|\s[-–]\s/)
  const words = parts.flatMap((part) => [...nameTokens(part), '|'])
  for (const [index, word] of words.entries()) {
    if (word !== 'GONDEREN' && word !== 'GONDERENIN') continue
    const rest = words.slice(index + 1)
    const from = rest.findIndex((next) => next !== '|' && !LABELS.has(next))
    const name = from < 0 ? [] : rest.slice(from)
    const end = name.findIndex((next) => next === '|' || NOT_A_NAME.test(next))
    if (end > 0) return name.slice(0, end)
  }
  return []
}
