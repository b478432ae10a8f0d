import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import type { Payout } from '../../withdrawals/index.ts'
import { findPayout, isOpen, wasNotSent } from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { debitsInReview, linesOfPayout, payoutReferences } from '../../statements/index.ts'
import type { ProposeStep } from './propose-step.ts'
import { propose } from './propose-step.ts'
import { stepsSaid } from './steps-said.ts'
import { isWithCharge } from './with-charge.ts'

const MAX_READ = 200

/** The debit becomes that of its payout; what it has besides is a charge, or owed to us. */
export const excessStep = (debit: StoredLine, payout: Payout): ProposeStep =>
  propose(isWithCharge(debit, payout) ? 'bank_charge' : 'receivable', [debit.id], { withdrawalId: payout.withdrawalId })

/** Debits that have the payout and more, while it was sent and lacks its debit and no one has explained them. Those that name it first. */
async function oversizedDebits(db: Queryable, payout: Payout): Promise<StoredLine[]> {
  if (isOpen(payout) || wasNotSent(payout)) return []
  const its = await linesOfPayout(db, payout.withdrawalId)
  if (its.some(({ direction }) => direction === 'debit')) return []
  const since = new Date(payout.createdAt.getTime() - DAY_MS)
  const debits = await debitsInReview(db, { collectingAccountId: payout.sourceAccountId, since }, MAX_READ)
  const larger = debits.filter((one) => one.amount > payout.amount && one.correctsLineId === null)
  const isAlone = ({ narrative }: StoredLine) => new Set(payoutReferences(narrative)).size < 2
  const named = larger.filter((one) => one.candidateWithdrawalId === payout.withdrawalId && isAlone(one))
  return [...named, ...larger.filter((one) => one.candidateWithdrawalId === null && isWithCharge(one, payout))]
}

/** A credit of more than the payout: the debit that had as much is booked first, and the credit is then its return. Null: there is none. */
export async function debitFirst(db: Queryable, credit: StoredLine, payout: Payout): Promise<ProposeStep | null> {
  const debit = (await oversizedDebits(db, payout)).find(({ amount }) => amount >= credit.amount)
  return debit ? debitThenReturn(debit, credit, payout) : null
}

function debitThenReturn(debit: StoredLine, credit: StoredLine, payout: Payout): ProposeStep {
  const { withdrawalId } = payout
  const first = { ...excessStep(debit, payout), because: 'debit_first' as const }
  const charge = { amount: credit.amount - payout.amount }
  const afterwards =
    first.kind === 'bank_charge'
      ? propose('payout_return', [credit.id], { withdrawalId, charge })
      : propose('payout_return', [credit.id], { withdrawalId }, ['settles'])
  return { ...first, afterwards }
}

/** The debit is that of the payout that it names, with more. Its payout, if it is so. */
export async function oversizedOf(db: Queryable, debit: StoredLine): Promise<Payout | null> {
  const { candidateWithdrawalId: id } = debit
  const payout = id === null ? undefined : await findPayout(db, id)
  if (!payout) return null
  return (await oversizedDebits(db, payout)).some((one) => one.id === debit.id) ? payout : null
}

/** As a storno the merchant would have neither the payout nor its money. */
export async function mustNotBeOversized(tx: Tx, debit: StoredLine, credit: StoredLine): Promise<void> {
  const payout = await oversizedOf(tx, debit)
  if (!payout) return
  const steps = stepsSaid(debitThenReturn(debit, credit, payout), debit.currency)
  throw refuse('line_exceeds_payout', { line: debit.id, payout: payout.withdrawalId, steps })
}
