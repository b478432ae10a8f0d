import { createHash } from 'node:crypto'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import type { ModelMerchant } from './truth.ts'
import type { World } from './world.ts'

type Value = string | number | bigint | null
type Row = Record<string, Value>
export type Digest = { text: string; sha256: string }

/** What became of the month, without ids and times: two versions that do the same have the same text. */
export async function digestOf({ app }: World, shops: ModelMerchant[]): Promise<Digest> {
  const names = new Map(shops.map(({ id, name }) => [id, name]))
  const lines: string[] = []
  const add = (title: string, rows: Row[]) => {
    const written = rows.map((row) => Object.entries(row).map(([key, value]) => `${key}=${asText(key, value, names)}`))
    lines.push(`# ${title}`, ...written.map((one) => one.join(' ')).toSorted())
  }
  add(
    'moved in the ledger',
    await app.db.query<Row>(sql`
    select a.kind as account, a.merchant_id as merchant, sum(case when s.sign > 0 then t.amount else 0 end)::bigint as "in",
      sum(case when s.sign < 0 then t.amount else 0 end)::bigint as "out", count(*)::integer as transfers
    from transfers t cross join (values (1), (-1)) as s (sign)
    join accounts a on a.id = case when s.sign > 0 then t.to_account else t.from_account end
    group by a.kind, a.merchant_id`),
  )
  add(
    'balances',
    await app.db.query<Row>(sql`
    select kind as account, merchant_id as merchant, sum(balance)::bigint as balance from accounts
    group by kind, merchant_id having sum(balance) <> 0`),
  )
  add(
    'deposits',
    await app.db.query<Row>(sql`
    select merchant_id as merchant, status, reason, array_to_string(array(select unnest(flags) order by 1), '+') as flags,
      count(*)::integer as deposits, sum(received_amount)::bigint as received, sum(fee)::bigint as fees
    from deposits group by 1, 2, 3, 4`),
  )
  add(
    'withdrawals',
    await app.db.query<Row>(sql`
    select merchant_id as merchant, status, state, failure_reason as failure, count(*)::integer as withdrawals,
      sum(amount)::bigint as amount, sum(fee)::bigint as fees
    from withdrawals group by 1, 2, 3, 4`),
  )
  add(
    'events',
    await app.db.query<Row>(sql`
    select merchant_id as merchant, type, count(*)::integer as events from events group by 1, 2`),
  )
  add(
    'lines',
    await app.db.query<Row>(sql`
    select direction, state, reason, count(*)::integer as lines, sum(amount)::bigint as amount
    from bank_lines group by 1, 2, 3`),
  )
  const text = `${lines.join('\n')}\n`
  return { text, sha256: createHash('sha256').update(text).digest('hex') }
}

function asText(key: string, value: Value, names: Map<string, string>): string {
  if (key === 'merchant') return names.get(String(value)) ?? 'house'
  return value === null ? '-' : String(value)
}
