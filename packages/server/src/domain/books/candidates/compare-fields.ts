import { foldText, sameName } from '../../../kernel/fold.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import type { StoredLine } from '../../statements/index.ts'
import { bookedUntil } from '../../matching/index.ts'

/** What is known of a candidate. Null: it has no such thing. */
export type CandidateFacts = {
  amount: bigint
  currency: string
  name: string | null
  iban: string | null
  /** A deposit's reference code, or the withdrawal whose id a bank writes. */
  code: string | null
  accountIds: string[]
  at: Date
}

type Verdict = 'same' | 'other' | 'unknown'

/** `unknown`: one of the two does not say. `apart`: times that fit and are not the same. `difference`: of amounts, line less candidate; of times in minutes. */
export type Comparison =
  | { field: 'amount'; verdict: Verdict; difference: bigint }
  | { field: 'time'; verdict: Verdict | 'apart'; minutes: number }
  | { field: 'name' | 'iban' | 'code' | 'account'; verdict: Verdict }

/** Line and candidate, field by field. */
export function compareFields(
  line: StoredLine,
  { what, facts }: { what: string; facts: CandidateFacts },
): Comparison[] {
  const difference = line.amount - facts.amount
  // As shown: 22:30 and 22:29 are a minute apart, however many seconds.
  const minuteOf = (at: Date) => Math.floor(at.getTime() / 60_000)
  const minutes = minuteOf(line.bookedAt) - minuteOf(facts.at)
  const isOwnTransfer = what === 'own_transfer'
  // Either side of our own transfer may be booked first.
  const isInOrder = isOwnTransfer || facts.at <= bookedUntil(line)
  return [
    { field: 'amount', verdict: difference === 0n && line.currency === facts.currency ? 'same' : 'other', difference },
    { field: 'name', verdict: comparedNames(line.senderName, facts.name) },
    { field: 'iban', verdict: comparedTexts(normaliseIban(line.senderIban ?? ''), facts.iban) },
    { field: 'code', verdict: comparedCodes(line, facts.code) },
    { field: 'time', verdict: minutes === 0 ? 'same' : isInOrder ? 'apart' : 'other', minutes },
    { field: 'account', verdict: comparedAccounts(line, facts, isOwnTransfer) },
  ]
}

function comparedNames(written: string, name: string | null): Verdict {
  if (name === null || foldText(written) === '' || foldText(name) === '') return 'unknown'
  return sameName(written, name) ? 'same' : 'other'
}

function comparedTexts(written: string, wanted: string | null): Verdict {
  if (wanted === null || written === '' || wanted === '') return 'unknown'
  return written === normaliseIban(wanted) ? 'same' : 'other'
}

/** A text without any code says nothing; one with another code speaks against it. */
function comparedCodes({ narrative, candidateWithdrawalId }: StoredLine, code: string | null): Verdict {
  if (code === null) return 'unknown'
  if (candidateWithdrawalId !== null) return candidateWithdrawalId === code ? 'same' : 'other'
  const written = findReferenceCodes(narrative).map((one) => one.code)
  if (written.length === 0) return 'unknown'
  return written.includes(code) ? 'same' : 'other'
}

/** The two sides of our own transfer are on different accounts. */
function comparedAccounts(
  { collectingAccountId }: StoredLine,
  { accountIds }: CandidateFacts,
  isOwnTransfer: boolean,
): Verdict {
  if (accountIds.length === 0) return 'unknown'
  return accountIds.includes(collectingAccountId) !== isOwnTransfer ? 'same' : 'other'
}
