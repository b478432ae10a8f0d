import { foldText } from './fold.ts'
import { ID_PATTERN } from '../platform/crypto/ids.ts'
import { normaliseIban } from './iban.ts'
import { MAX_AMOUNT } from './money.ts'
import type { Said } from '../platform/refusal.ts'

/** A search text, parsed as everything it can be. Fields that do not apply are null or empty. */
export type Search = {
  /** As typed: the number of a bank line or of a payout. */
  text: string
  /** Words of a name, or the merchant's id of a customer. Null with an amount as in "mehmet 840,00", which is in no name. */
  words: string | null
  id: string | null
  /** As typed, and in the other case: merchants write them as they like. */
  processIds: string[]
  code: string | null
  /** In minor units. */
  amounts: bigint[]
  /** A name and an amount typed together: each must match. */
  named: { words: string; amounts: bigint[] } | null
  /** Range of reversed IBANs. */
  iban: { from: string; to: string } | null
}

/** What of a row is similar to the search text; some are followed by the value. */
export const FOUND_BY = [
  ...(['transaction id', 'line id', 'of the deposit', 'of the withdrawal', 'names the withdrawal'] as const),
  ...(['processId', 'amount', 'customer', 'sender', 'recipient', 'code', 'number', 'IBAN'] as const),
] as const
export type FoundBy = (typeof FOUND_BY)[number]

export type Found = {
  kind: 'deposit' | 'withdrawal' | 'line' | 'unread line'
  id: string
  merchantId: string | null
  /** Not known of a line that could not be read. */
  amount: bigint | null
  currency: string
  /** Of a line that could not be read: why. */
  status: string | Said
  /** For bank lines: incoming or outgoing. */
  direction?: 'credit' | 'debit'
  createdAt: Date
  /** `FoundBy` and the value, separated by commas if there are several. */
  matched: string
}

/** Maximum rows read for one word: common words occur in very many names, and a search must stay short. */
export const MAX_ROWS_READ = 250

/** Of the rows that are in no index of names, so many of the newest are compared with a name: each takes 0.1 ms. */
export const MAX_PENDING_READ = 2000

const CODE_LENGTH = 8
/** Sorts after every character of an IBAN. */
const LAST_CODE_POINT = '\u{10ffff}'

export function readSearch(input: string): Search {
  // A database stores no NUL, and no text that is searched has control characters.
  const text = input.replace(/\p{Cc}/gu, ' ').trim()
  const code = foldText(text).replaceAll(' ', '')
  const named = readNamed(text)
  return {
    text,
    words: named && /\d[.,]\d/.test(text) ? null : text,
    id: new RegExp(ID_PATTERN).test(text.toLowerCase()) ? text.toLowerCase() : null,
    processIds: [...new Set([text, text.toUpperCase(), text.toLowerCase()])],
    code: code.length === CODE_LENGTH ? code : null,
    amounts: readAmounts(withoutCurrency(text)),
    named,
    iban: readIban(text),
  }
}

const CURRENCY = /^(?:TL|TRY|₺)$/i

function withoutCurrency(text: string): string {
  return text.replace(/^₺\s*|\s*(?:TL|TRY|₺)$/gi, '')
}

/** "mehmet ozturk 840", "840,00 TL Mehmet": exactly one of the words is an amount, and the others have a letter. */
function readNamed(text: string): Search['named'] {
  const parts = text.split(/\s+/).filter((part) => !CURRENCY.test(part))
  const isAmount = (part: string) => readAmounts(withoutCurrency(part)).length > 0
  const [amount, another] = parts.filter(isAmount)
  const words = parts.filter((part) => !isAmount(part)).join(' ')
  if (amount === undefined || another !== undefined || !/\p{L}/u.test(words)) return null
  return { words, amounts: readAmounts(withoutCurrency(amount)) }
}

/** 1.250,50 and 1250.5 are lira and kuruş; 1250 may be lira, or kuruş as in the API. */
function readAmounts(text: string): bigint[] {
  const [, whole, , part = ''] = /^(\d{1,14}|\d{1,3}(?:\.\d{3}){1,4})([.,](\d{1,2}))?$/.exec(text) ?? []
  if (whole === undefined) return []
  const minor = BigInt(whole.replaceAll('.', '') + part.padEnd(2, '0'))
  const candidates = /^\d+$/.test(text) ? [minor, BigInt(text)] : [minor]
  return candidates.filter((amount) => amount > 0n && amount <= MAX_AMOUNT)
}

/** The whole IBAN, or its last four to six characters, with a digit. A longer end would tell a masked IBAN digit by digit. */
function readIban(text: string): Search['iban'] {
  const end = normaliseIban(text)
  if (!/^(?:[0-9A-Z]{4,6}|[A-Z]{2}\d{2}[0-9A-Z]{11,30})$/.test(end) || !/\d/.test(end)) return null
  const from = end.split('').toReversed().join('')
  return { from, to: from + LAST_CODE_POINT }
}
