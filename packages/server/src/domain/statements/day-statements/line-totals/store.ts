import type { Queryable, Tx } from '../../../../platform/postgres/db.ts'
import { rowsOf } from '../../../../platform/postgres/rows.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import type { StatementTotal } from '../../bank-line.ts'
import { ENTERED_BY_HAND } from '../../bank-line.ts'
import { isNotUndone } from '../../files/store.ts'
import { changeLines, queryLines } from '../../store.ts'

export async function updateStatements(tx: Tx, lines: { id: string; statementId: string }[]): Promise<void> {
  await changeLines(
    tx,
    sql`set statement_id = n.statement_id
    from ${rowsOf('n', lines, { id: 'text', statementId: 'text' })} where l.id = n.id`,
  )
}

export function totalsByStatement(db: Queryable, statementIds: string[]): Promise<StatementTotal[]> {
  return queryLines<StatementTotal>(
    db,
    sql`l.statement_id as "statementId", count(*)::int as lines,
      coalesce(sum(l.amount) filter (where l.direction = 'credit'), 0)::bigint as credits,
      coalesce(sum(l.amount) filter (where l.direction = 'debit'), 0)::bigint as debits`,
    sql`where l.statement_id = any(${statementIds}::text[]) and ${isNotUndone} and l.reason is distinct from ${ENTERED_BY_HAND} group by l.statement_id`,
  )
}
