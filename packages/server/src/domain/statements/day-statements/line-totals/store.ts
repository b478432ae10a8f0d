import type { Queryable } from '../../../../platform/postgres/db.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import type { StatementTotal } from '../../bank-line.ts'
import { ENTERED_BY_HAND } from '../../bank-line.ts'
import { isNotUndone } from '../../files/store.ts'
import { queryLines } from '../../store.ts'

export function totalsByStatement(db: Queryable, statementIds: string[]): Promise<StatementTotal[]> {
  return queryLines<StatementTotal>(
    db,
    sql`l.statement_id as "statementId", count(*)::int as lines,
      coalesce(sum(l.amount) filter (where l.direction = 'credit'), 0)::bigint as credits,
      coalesce(sum(l.amount) filter (where l.direction = 'debit'), 0)::bigint as debits`,
    sql`where l.statement_id = any(${statementIds}::text[]) and ${isNotUndone} and l.reason is distinct from ${ENTERED_BY_HAND} group by l.statement_id`,
  )
}
