import { formatMoney } from '../../../kernel/money.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { findPayout } from '../../payouts/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { selectLinesNaming } from '../../statements/index.ts'
import type { ProposeStep } from './propose-step.ts'
import { propose } from './propose-step.ts'
import { openReceivables } from './receivables.ts'

const ENOUGH = 20

type OpenDebit = { what: string; next: ProposeStep }

/** A credit that names a payout whose debit is open gives that money back. Refunded, the recipient would be paid twice. */
export async function mustNotBeReturn(tx: Tx, line: StoredLine, restOf?: string): Promise<void> {
  const found = await openDebitOf(tx, line, restOf)
  if (!found) return
  throw new Refusal(
    'INVALID_STATE',
    `Line ${line.id} names payout ${line.candidateWithdrawalId}, and ${found.what}. It is the return of that money, not money to refund: ${inRefusal(found)}`,
  )
}

/** The debit of the payout that a credit names, while it needs review or is owed to us, and what to do about it. */
export async function openDebitOf(db: Queryable, line: StoredLine, restOf?: string): Promise<OpenDebit | null> {
  const { candidateWithdrawalId: id } = line
  if (id === null || !(await findPayout(db, id))) return null
  const debit = (await selectLinesNaming(db, id, ENOUGH)).find(({ direction }) => direction === 'debit')
  if (debit) return { what: `its debit, line ${debit.id}, is not explained`, next: explain(debit, line, restOf) }
  const owed = (await openReceivables(db)).filter(({ withdrawalId }) => withdrawalId === id)
  const receivable = owed.find(({ open }) => open >= line.amount) ?? owed[0]
  if (!receivable) return null
  const { entryId: settles, open, account } = receivable
  const what = `${formatMoney(open, account.currency)} is owed to us for its debit (${settles})`
  if (open < line.amount)
    return { what, next: { ...propose('bank_charge', [], { settles }), because: 'no_credit_covers_it' } }
  const next =
    restOf === undefined
      ? propose('receivable', [line.id], { settles })
      : propose('receivable', [], { restOf, settles })
  return { what, next }
}

/** Equal lines of one account cancel each other out. Of any others the debit is owed, and the credit settles it. */
function explain(debit: StoredLine, line: StoredLine, restOf?: string): ProposeStep {
  const areEqual = debit.amount === line.amount && debit.collectingAccountId === line.collectingAccountId
  return areEqual && restOf === undefined ? propose('storno', [line.id, debit.id]) : propose('receivable', [debit.id])
}

/** Refusals name commands, as those of every plan do. */
function inRefusal({ next: { kind, terms, because } }: OpenDebit): string {
  const { lineIds, restOf, settles } = terms
  const options = [
    ...lineIds.map((id) => ` --line ${id}`),
    ...(restOf === undefined ? [] : [` --rest-of ${restOf}`]),
    ...(settles === undefined ? [] : [` --settles ${settles}`]),
  ]
  const first = because === undefined ? '' : 'ask the bank; what will not come back: '
  return `${first}vezne journal propose ${kind}${options.join('')}`
}
