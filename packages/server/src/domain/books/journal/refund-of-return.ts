import { money } from '../../../kernel/refusals/facts.ts'
import { part } from '../../../kernel/refusals/part.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Said } from '../../../platform/refusal.ts'
import { findPayout } from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { selectLinesNaming } from '../../statements/index.ts'
import { chargesForCredit } from './charges-for-credit.ts'
import { wayOfMore } from './return-of-more.ts'
import type { ProposeStep } from './propose-step.ts'
import { propose } from './propose-step.ts'
import type { Receivable } from './receivables.ts'
import { openReceivables } from './receivables.ts'
import { stepsSaid } from './steps-said.ts'
import { takenBackBy } from './taken-back.ts'

const ENOUGH = 20

type GivenBack = { what: Said; next: ProposeStep }

/** A credit that gives money back which the bank took. Refunded, its recipient would be paid twice, or a merchant stay charged. */
export async function mustNotBeReturn(tx: Tx, line: StoredLine, restOf?: string): Promise<void> {
  const found = await givenBackBy(tx, line, restOf)
  if (!found) return
  const { what, next } = found
  throw refuse('line_returns_money', { line: line.id, what, steps: stepsSaid(next, line.currency) })
}

/**
 * What a credit gives back: the debit of the payout that it names, while it needs review or is owed to us; that payout with what
 * was debited besides; what a merchant was charged for; or what a debit took back of it. With what to do about it.
 */
export async function givenBackBy(db: Queryable, line: StoredLine, restOf?: string): Promise<GivenBack | null> {
  const { candidateWithdrawalId: id } = line
  const payout = id === null ? undefined : await findPayout(db, id)
  if (id === null || !payout)
    return (await charged(db, line, restOf)) ?? (restOf === undefined ? takenBackBy(db, line) : null)
  const way = restOf === undefined ? await wayOfMore(db, line, payout) : null
  // What no one can explain may be anyone's.
  const more = way?.terms.rest && way.terms.settles === undefined ? null : way
  const debit = (await selectLinesNaming(db, id, ENOUGH)).find(({ direction }) => direction === 'debit')
  if (debit && !more)
    return {
      what: part('payout_debit_unexplained', { payout: id, line: debit.id }),
      next: explain(debit, line, restOf),
    }
  if (more) return { what: part('payout_debited_with_more', { payout: id }), next: more }
  const owed = (await openReceivables(db)).filter(({ withdrawalId }) => withdrawalId === id)
  const receivable = owed.find(({ open }) => open >= line.amount)
  const charge = receivable ? null : await charged(db, line, restOf)
  if (charge) return charge
  const first = receivable ?? owed[0]
  if (!first) return null
  const { entryId: settles, open, account } = first
  const owes = { payout: id, amount: money(open, account.currency), entry: settles }
  const next: ProposeStep = receivable
    ? settleStep(line, settles, restOf)
    : { ...propose('bank_charge', [], { settles }), because: 'no_credit_covers_it' }
  return { what: part('payout_debit_owed', owes), next }
}

/** What is to be written off is in suspense, in one credit with the payout that it is about. */
export async function mustNotBeGivenBack(tx: Tx, { entryId, withdrawalId }: Receivable): Promise<void> {
  const payout = withdrawalId === null ? undefined : await findPayout(tx, withdrawalId)
  const credits = payout ? await selectLinesNaming(tx, payout.withdrawalId, ENOUGH) : []
  for (const line of credits.filter(({ state }) => state === 'suspense')) {
    const next = payout ? await wayOfMore(tx, line, payout) : null
    if (next?.terms.settles === entryId)
      throw refuse('receivable_in_return', { line: line.id, steps: stepsSaid(next, line.currency) })
  }
}

async function charged(db: Queryable, line: StoredLine, restOf?: string): Promise<GivenBack | null> {
  const charge = (await chargesForCredit(db, line)).find((one) => one.isNamed && one.isSure)
  if (!charge) return null
  const { entryId, left, account } = charge
  const what = part('merchant_charged_before', { amount: money(left, account.currency), entry: entryId })
  return { what, next: settleStep(line, entryId, restOf) }
}

const settleStep = ({ id }: StoredLine, settles: string, restOf?: string) =>
  restOf === undefined ? propose('receivable', [id], { settles }) : propose('receivable', [], { restOf, settles })

/** Equal lines of one account cancel each other out. Of any others the debit is owed, and the credit settles it. */
function explain(debit: StoredLine, line: StoredLine, restOf?: string): ProposeStep {
  const areEqual = debit.amount === line.amount && debit.collectingAccountId === line.collectingAccountId
  return areEqual && restOf === undefined ? propose('storno', [line.id, debit.id]) : propose('receivable', [debit.id])
}
