import { foldText } from '../../../kernel/fold.ts'
import { sumOf } from '../../../kernel/money.ts'
import { recipientOf, sameParty, senderOf } from '../../../kernel/party.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { StoredLine } from '../../statements/index.ts'
import { payoutReferences } from '../../statements/index.ts'
import type { Payout } from './payout.ts'

/** 100,00 TL. More is hardly what a bank takes for a transfer. */
export const MAX_CHARGE = 10_000n
/** Of the payout: 5 %. */
const MAX_SHARE = 20n

/** A bank may have charged this much for a transfer of that amount. */
export const mayBeCharge = (charge: bigint, amount: bigint) =>
  charge > 0n && charge <= MAX_CHARGE && charge * MAX_SHARE <= amount

/** A debit of its own beside that of a transfer of that amount may be the charge for it. */
export const mayBeFee = (debits: bigint, amount: bigint) => debits <= MAX_CHARGE && debits * 2n <= amount

type Its = Pick<Payout, 'withdrawalId' | 'amount'>

/** Debits that name a payout which has its own, while no one has explained them. What may be a charge for it is none. */
export function furtherDebits({ withdrawalId, amount }: Its, lines: StoredLine[]): StoredLine[] {
  const debits = [...new Map(lines.map((line) => [line.id, line])).values()].filter(isDebit)
  if (!debits.some((line) => line.withdrawalId === withdrawalId)) return []
  const open = debits.filter((line) => line.state === 'needs_review' && line.candidateWithdrawalId === withdrawalId)
  const total = sumOf(open)
  return mayBeFee(total, amount) ? [] : open
}

const isDebit = ({ direction }: StoredLine) => direction === 'debit'

/** The debits that a credit may give back: one that covers it, or all of an account together. */
export function givenBackBy({ amount }: StoredLine, debits: StoredLine[]): StoredLine[] {
  const covering = debits.filter((debit) => debit.amount >= amount).toSorted((a, b) => (a.amount < b.amount ? -1 : 1))
  const [best] = covering
  const account = debits[0]?.collectingAccountId
  return best ? [best] : debits.filter(({ collectingAccountId }) => collectingAccountId === account)
}

/** The bank may give a further debit back while the recipient keeps the first: the merchant would have money that is the bank's. */
export function mustBeDebitedOnce(payout: Its, others: StoredLine[], credits: StoredLine[]): void {
  const further = furtherDebits(payout, others)
  const [credit] = credits
  if (further.length === 0 || !credit) return
  const lines = givenBackBy(credit, further).map(({ id }) => id)
  throw refuse('payout_debited_further', { withdrawal: payout.withdrawalId, lines, credit: credit.id })
}

/** The line fits its payout and waits for the line of the opposite direction. */
export function isWaiting({ state, reason }: Pick<StoredLine, 'state' | 'reason'>): boolean {
  return state !== 'matched' && (reason === 'payout_no_debit' || reason === 'payout_taken_back')
}

/** Shorter bank references are found in any text. */
const MIN_REFERENCE = 5

/** Whether more than the amount shows that a credit is the return of this payout: its id or number, or the recipient. */
export function showsReturnOf(line: StoredLine, payout: Payout): boolean {
  const number = foldText(payout.bankReference ?? '')
  return (
    payoutReferences(line.narrative).includes(payout.withdrawalId) ||
    (number.length >= MIN_REFERENCE && foldText(line.narrative).includes(number)) ||
    sameParty(senderOf(line), recipientOf(payout))
  )
}
