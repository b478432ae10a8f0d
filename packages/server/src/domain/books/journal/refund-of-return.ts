import { formatMoney } from '../../../kernel/money.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { findPayout } from '../../payouts/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { selectLinesNaming } from '../../statements/index.ts'
import { chargesForCredit } from './charges-for-credit.ts'
import { wayOfMore } from './plan-return-of-more.ts'
import type { ProposeStep } from './propose-step.ts'
import { propose } from './propose-step.ts'
import type { Receivable } from './receivables.ts'
import { openReceivables } from './receivables.ts'
import { takenBackBy } from './taken-back.ts'

const ENOUGH = 20

type GivenBack = { what: string; next: ProposeStep }

/** A credit that gives money back which the bank took. Refunded, its recipient would be paid twice, or a merchant stay charged. */
export async function mustNotBeReturn(tx: Tx, line: StoredLine, restOf?: string): Promise<void> {
  const found = await givenBackBy(tx, line, restOf)
  if (!found) return
  const { candidateWithdrawalId: id } = line
  const about = id === null ? '' : ` names payout ${id}, and`
  throw new Refusal(
    'INVALID_STATE',
    `Line ${line.id}${about} ${found.what}. It is the return of that money, not money to refund: ${inRefusal(found)}`,
  )
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
    return { what: `its debit, line ${debit.id}, is not explained`, next: explain(debit, line, restOf) }
  if (more) return { what: 'the bank had debited as much for it', next: more }
  const owed = (await openReceivables(db)).filter(({ withdrawalId }) => withdrawalId === id)
  const receivable = owed.find(({ open }) => open >= line.amount)
  const charge = receivable ? null : await charged(db, line, restOf)
  if (charge) return charge
  const first = receivable ?? owed[0]
  if (!first) return null
  const { entryId: settles, open, account } = first
  const what = `${formatMoney(open, account.currency)} is owed to us for its debit (${settles})`
  const next: ProposeStep = receivable
    ? settleStep(line, settles, restOf)
    : { ...propose('bank_charge', [], { settles }), because: 'no_credit_covers_it' }
  return { what, next }
}

/** What is to be written off is in suspense, in one credit with the payout that it is about. */
export async function mustNotBeGivenBack(tx: Tx, { entryId, withdrawalId }: Receivable): Promise<void> {
  const payout = withdrawalId === null ? undefined : await findPayout(tx, withdrawalId)
  const credits = payout ? await selectLinesNaming(tx, payout.withdrawalId, ENOUGH) : []
  for (const line of credits.filter(({ state }) => state === 'suspense')) {
    const next = payout ? await wayOfMore(tx, line, payout) : null
    if (next?.terms.settles === entryId)
      throw new Refusal('INVALID_STATE', `Line ${line.id} gives it back, with the payout: ${inRefusal({ next })}`)
  }
}

async function charged(db: Queryable, line: StoredLine, restOf?: string): Promise<GivenBack | null> {
  const charge = (await chargesForCredit(db, line)).find((one) => one.isNamed && one.isSure)
  if (!charge) return null
  const { entryId, left, account } = charge
  const what = `its merchant was charged ${formatMoney(left, account.currency)} for what it gives back (${entryId})`
  return { what, next: settleStep(line, entryId, restOf) }
}

const settleStep = ({ id }: StoredLine, settles: string, restOf?: string) =>
  restOf === undefined ? propose('receivable', [id], { settles }) : propose('receivable', [], { restOf, settles })

/** Equal lines of one account cancel each other out. Of any others the debit is owed, and the credit settles it. */
function explain(debit: StoredLine, line: StoredLine, restOf?: string): ProposeStep {
  const areEqual = debit.amount === line.amount && debit.collectingAccountId === line.collectingAccountId
  return areEqual && restOf === undefined ? propose('storno', [line.id, debit.id]) : propose('receivable', [debit.id])
}

/** Refusals name commands, as those of every plan do. */
function inRefusal({ next: { kind, terms, missing, because, afterwards } }: Pick<GivenBack, 'next'>): string {
  const { lineIds, restOf, settles, withdrawalId, charge, rest } = terms
  const options = [
    ...lineIds.map((id) => ` --line ${id}`),
    ...(restOf === undefined ? [] : [` --rest-of ${restOf}`]),
    ...(settles === undefined ? [] : [` --settles ${settles}`]),
    ...(missing.includes('settles') ? [' --settles ENTRY'] : []),
    ...(withdrawalId === undefined ? [] : [` --withdrawal ${withdrawalId}`]),
    ...(charge ? [` --charge ${charge.amount}`] : []),
    ...(rest ? [` --rest ${rest.amount}`] : []),
  ]
  const first = because === 'no_credit_covers_it' ? 'ask the bank; what will not come back: ' : ''
  const then = afterwards ? `, then ${inRefusal({ next: afterwards })}` : ''
  return `${first}vezne journal propose ${kind}${options.join('')}${then}`
}
