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
