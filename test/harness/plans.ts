import type pg from 'pg'
import type { Tx } from '../../packages/server/src/platform/postgres/db.ts'
import type { Sql } from '../../packages/server/src/platform/postgres/sql.ts'

type Statement = { inTransaction: boolean; send: (tx: Tx) => Promise<unknown> }

/** The generic plan of the statements that `send` sends, with the settings of their pool. */
export async function planOf(client: pg.Client, { inTransaction, send }: Statement): Promise<string> {
  await client.query('set enable_seqscan = off')
  for (const setting of ['enable_hashjoin', 'enable_mergejoin'])
    await client.query(`set ${setting} = ${inTransaction ? 'off' : 'on'}`)
  const plans: string[] = []
  const tx = {
    async query(statement: Sql) {
      const { rows } = await client.query<Record<string, string>>(`explain (generic_plan, costs off) ${statement.text}`)
      plans.push(rows.map((row) => Object.values(row)[0]).join('\n'))
      return []
    },
  }
  await send(tx as unknown as Tx)
  return plans.join('\n\n').replaceAll('::text', '')
}

/** Plans with counted lines that wait, few of them debits: in an empty table all its indexes cost the same. */
export async function withWaitingLines<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin')
  try {
    await client.query(`
      insert into statements (id, collecting_account_id, connection, from_day, to_day, created_at)
      select 'waiting', min(id), 'plans', '2026-01-01', '2026-01-01', now() from collecting_accounts`)
    await client.query(`
      insert into bank_lines (id, collecting_account_id, natural_key, occurrence, source, amount, currency, direction, value_date,
        booked_at, sender_name, narrative, state, created_at, decided_at, statement_id)
      select 'w' || n, collecting_account_id, 'w' || n, 1, 'plans', n, 'TRY', case when n % 20 = 0 then 'debit' else 'credit' end,
        '2026-01-01', '2026-01-01'::timestamptz + n * interval '1 minute', '', '', 'needs_review', now(), now(), id
      from statements, generate_series(1, 5000) as n where id = 'waiting'`)
    await client.query('analyze bank_lines')
    return await work()
  } finally {
    await client.query('rollback')
  }
}
