import type { Db } from '../../../platform/postgres/db.ts'
import { findAccount, listAccounts } from '../../banks/index.ts'
import type { StatementTotal } from '../bank-line.ts'
import { totalsByStatement } from '../files/lines/store.ts'
import type { Statement } from './store.ts'
import { selectStatements } from './store.ts'

type Sums = Omit<StatementTotal, 'statementId'>

export type ListedStatement = Statement & Sums & { iban: string; currency: string; difference: bigint | null }

/** Newest first, for all accounts or for one, by its id or IBAN. */
export async function listStatements(
  { db }: { db: Db },
  { account, limit }: { account?: string | undefined; limit: number },
): Promise<ListedStatement[]> {
  const accountId = account === undefined ? undefined : (await findAccount({ db }, account)).id
  const statements = await selectStatements(db.pages, accountId, limit)
  const totals = await totalsByStatement(
    db,
    statements.map(({ id }) => id),
  )
  const totalOf = new Map(totals.map(({ statementId, ...sums }) => [statementId, sums]))
  const accountOf = new Map((await listAccounts(db)).map((one) => [one.id, one]))
  return statements.map((statement) => {
    const sums = totalOf.get(statement.id) ?? { lines: 0, credits: 0n, debits: 0n }
    const { iban = '', currency = '' } = accountOf.get(statement.collectingAccountId) ?? {}
    return { ...statement, ...sums, iban, currency, difference: differenceOf(statement, sums) }
  })
}

/** Difference between the closing balance and the opening balance plus lines; null unless the bank gives both balances. */
function differenceOf({ openingBalance, closingBalance }: Statement, { credits, debits }: Sums): bigint | null {
  if (openingBalance === null || closingBalance === null) return null
  return closingBalance - (openingBalance + credits - debits)
}
