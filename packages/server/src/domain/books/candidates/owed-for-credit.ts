import type { Queryable } from '../../../platform/postgres/db.ts'
import type { StoredLine } from '../../statements/index.ts'
import { selectLinesById } from '../../statements/index.ts'
import { mayGiveBack, showsDebit } from '../journal/charges-for-credit.ts'
import type { Receivable } from '../journal/receivables.ts'
import { openReceivables } from '../journal/receivables.ts'
import { takesBack } from '../journal/taken-back.ts'

/** `isShown`: sender or text of the credit are those of the debit. */
export type Owed = Receivable & { isShown: boolean }

/**
 * Receivables that the credit may settle: its debit names the same payout; or it is on the account of the credit, and the amount is
 * all that is owed, from no one else, or number, sender or text show the debit. Of a credit of more, those of a debit that took a part of it back.
 */
export async function owedForCredit(db: Queryable, line: StoredLine): Promise<Owed[]> {
  const open = (await openReceivables(db)).filter(({ account }) => account.currency === line.currency)
  const debits = await selectLinesById(
    db,
    open.map(({ lineId }) => lineId),
  )
  const byId = new Map(debits.map((debit) => [debit.id, debit]))
  const owed = open.map((one) => {
    const debit = byId.get(one.lineId)
    return { ...one, isShown: debit !== undefined && showsDebit(line, debit) }
  })
  return owed.filter((one) => {
    const debit = byId.get(one.lineId)
    if (one.open < line.amount) return debit !== undefined && takesBack(debit, line)
    if (one.withdrawalId !== null && one.withdrawalId === line.candidateWithdrawalId) return true
    const isAll = one.open === line.amount && (!debit || mayGiveBack(line, debit))
    return one.account.subject === line.collectingAccountId && (isAll || one.isShown)
  })
}
