import type pg from 'pg'

/** What the addresses of pages name. "Old" is in the middle of the history. */
const EXAMPLES = {
  first: `select to_char(min(from_day), 'YYYY-MM-DD') from statements`,
  today: `select to_char(max(from_day), 'YYYY-MM-DD') from statements`,
  oldDay: `select to_char(from_day, 'YYYY-MM-DD') from middle`,
  oldMonth: `select to_char(from_day, 'YYYY-MM') from middle`,
  merchant: `select $1::text`,
  smallMerchant: `select id from merchants where name = 'Shop 7'`,
  deposit: `select id from deposits where id < middle_id() and status = 'completed' order by id desc limit 1`,
  withdrawal: `select id from withdrawals where id < middle_id() and state = 'sent' order by id desc limit 1`,
  returned: `select id from withdrawals where id < middle_id() and state = 'returned' order by id desc limit 1`,
  ownDeposit: `select id from deposits where merchant_id = $1 and id < middle_id() and status = 'completed' order by id desc limit 1`,
  ownWithdrawal: `select id from withdrawals where merchant_id = $1 and id < middle_id() and state = 'sent' order by id desc limit 1`,
  code: `select reference_code from deposits where id < middle_id() and status = 'completed' order by id desc limit 1`,
  processId: `select process_id from withdrawals where id < middle_id() order by id desc limit 1`,
  customer: `select customer_id from deposits where id < middle_id() and status = 'completed' order by id desc limit 1`,
  iban: `select iban from withdrawals where id < middle_id() order by id desc limit 1`,
  ibanTail: `select right(iban, 4) from withdrawals where id < middle_id() order by id desc limit 1`,
  amount: `select to_char(amount / 100.0, 'FM999999990.00') from deposits where id < middle_id() and status = 'completed' and amount % 5000 <> 0 order by id desc limit 1`,
  line: `select id from bank_lines where id < middle_id() and state = 'matched' order by id desc limit 1`,
  openLine: `select id from bank_lines where state = 'suspense' order by id limit 1`,
  openAmount: `select to_char(amount / 100.0, 'FM999999990.00') from bank_lines where state = 'suspense' order by id limit 1`,
  number: `select bank_reference from bank_lines where id < middle_id() order by id desc limit 1`,
  file: `select id from statement_files where id <= (select id from middle) order by id desc limit 1`,
  position: `select (max(position) / 2)::bigint::text from events`,
  call: `select id from api_calls where merchant_id = $1 order by id offset 500 limit 1`,
  link: `select id from payment_links where merchant_id = $1 and id < middle_id() order by id desc limit 1`,
  instruction: `select id from proposals where merchant_id = $1 and kind = 'instruction' and id < middle_id() order by id desc limit 1`,
  endpoint: `select id from callback_endpoints where merchant_id = $1 limit 1`,
} as const

export type Examples = Record<keyof typeof EXAMPLES, string>

export async function findExamples(db: pg.Client, merchantId: string): Promise<Examples> {
  await db.query(`
    create temp table middle as select id, from_day from statements order by from_day, id
      offset (select count(*) / 2 from statements) limit 1`)
  const { rows } = await db.query<{ id: string }>(
    `select lpad(to_hex(extract(epoch from min(created_at) + (max(created_at) - min(created_at)) / 2)::bigint), 8, '0') as id from deposits`,
  )
  const found: [string, string][] = []
  for (const [name, text] of Object.entries(EXAMPLES)) {
    const statement = text.replaceAll('middle_id()', `'${rows[0]?.id}'`)
    const result = await db.query<string[]>({
      ...{ text: statement, rowMode: 'array' },
      values: statement.includes('$1') ? [merchantId] : [],
    })
    const value = result.rows[0]?.[0]
    if (typeof value !== 'string') throw new Error(`There is no example for {${name}}.`)
    found.push([name, value])
  }
  return Object.fromEntries(found) as Examples
}
