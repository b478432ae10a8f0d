import type pg from 'pg'

/** Seconds between two deposits: a million deposits span a year. */
const PACE = 30
/** Withdrawals per deposit. */
const WITHDRAWN = 0.3
/** Number of newest transactions that are still open, for any length of history. */
const OPEN = 300

type History = { merchantIds: string[]; deposits: number; until: Date }

/**
 * Common columns of the rows of one transaction. The first merchant has half of all; open ones belong to the others.
 */
const NUMBERS = `
  create temp table numbers as
  select n, case when n % 2 = 0 then ids[1] else ids[1 + n % array_length(ids, 1)] end as merchant_id,
    lpad(to_hex(second), 8, '0') as prefix, to_timestamp(second) as at, n > count - ${OPEN} and n % 2 = 1 as open,
    10000 + n % 5000 * 100 as amount, 'customer-' || n % 200000 as customer, 'user' || n % 200000 as username,
    (array['Ayşe','Mehmet','Işıl','Ömer','Şule','Çağan','Gül','Ali','Fatma','Umut'])[1 + n % 10] || ' Yılmaz' || n % 4999 as name,
    'TR' || lpad((n % 97)::text, 2, '0') || '00062' || lpad((n::bigint * 7919)::text, 17, '0') as iban
  from (
    select n, $1::text[] as ids, $2::int as count, $3::bigint - ($2::int - n) * ${PACE} as second
    from generate_series(1, $2::int) n
  ) as one`

const id = (letter: string) => `prefix || substr(md5('${letter}' || n), 1, 16)`
const status = `case when open then 'pending' when n % 100 = 7 then 'cancelled' when n % 3 = 0 then 'expired' else 'completed' end`
const collecting = `(select min(id) from collecting_accounts)`
/** An account of the house, or of the row's merchant; any for a merchant without accounts. */
const house = `(select min(id) from accounts where kind = 'bank_cash' and currency = 'TRY')`
const own = (kind: 'merchant_available' | 'merchant_held') =>
  `coalesce((select a.id from accounts a where a.merchant_id = numbers.merchant_id and a.kind = '${kind}' and a.currency = 'TRY'), (select max(id) from accounts where currency = 'TRY' and kind <> 'bank_cash'))`
const body = `repeat('{"transactionId":"0123456789"}', 20)`

const statement = `lpad(to_hex(extract(epoch from at::date)::bigint), 8, '0') || repeat('5', 16)`

/**
 * Earlier days of every account: with a few rows reading all of the table costs less than an index, with those of one account an
 * index without it costs the same, and a check of plans sees nothing.
 */
const EARLIER_DAYS = 600

const DEPOSITS = [
  `insert into accounts (id, merchant_id, kind, currency, subject)
   select repeat('5', 24), repeat('0', 24), 'bank_cash', 'TRY', min(id) from collecting_accounts on conflict do nothing`,
  `insert into statements (id, collecting_account_id, connection, from_day, to_day, created_at)
   select lpad(to_hex(extract(epoch from day)::bigint), 8, '0') || substr(md5(c.id), 1, 16), c.id, 'seed', day, day, day
   from (select (select min(at)::date from numbers) - n as day from generate_series(1, ${EARLIER_DAYS}) n) as earlier, collecting_accounts c`,
  `insert into statements (id, collecting_account_id, connection, from_day, to_day, created_at)
   select distinct ${statement}, ${collecting}, 'seed', at::date, at::date, at::date from numbers`,
  `insert into deposits (merchant_id, id, process_id, amount, currency, status, sequence, collecting_account_id, customer_id,
     customer_name, customer_username, language, reference_code, expires_at, created_at, updated_at)
   select merchant_id, ${id('d')}, 'order-' || n, amount, 'TRY', ${status}, 1, ${collecting}, customer, name, username, 'tr',
     lpad(upper(to_hex(n)), 8, 'Z'), at + interval '30 minutes', at, at from numbers`,
  `insert into status_history (merchant_id, transaction_id, sequence, from_status, to_status, changed_at)
   select merchant_id, ${id('d')}, 1, 'pending', ${status}, at from numbers where not open`,
  `insert into bank_lines (id, collecting_account_id, natural_key, occurrence, source, bank_reference, amount, currency, direction,
     value_date, booked_at, sender_name, sender_iban, narrative, state, created_at, decided_at, statement_id)
   select ${id('l')}, ${collecting}, 'key' || n, 1, 'seed', 'ref' || n, amount, 'TRY', 'credit', at::date, at, upper(name), iban,
     'FAST odeme', case when n % 2000 = 1 then 'suspense' else 'matched' end, at, at, ${statement}
   from numbers where n % 3 > 0`,
  `insert into line_parts (line_id, kind, subject, merchant_id, amount, explained_at)
   select ${id('l')}, 'deposit', ${id('d')}, merchant_id, amount, at from numbers where n % 3 > 0`,
  `insert into match_decisions (line_id, number, verdict, why, merchant_id, deposit_id, reasons, suggestions, decided_by, decided_at)
   select ${id('l')}, 1, 'complete', 'code', merchant_id, ${id('d')}, '[]', '[]', 'matcher', at from numbers where n % 3 > 0`,
  `insert into transfers (merchant_id, subject_id, id, entry_id, kind, effective_on, actor, from_account, to_account, currency, amount, created_at)
   select merchant_id, ${id('d')}, ${id('t')}, ${id('t')}, 'deposit_settlement', at::date, 'system', ${house}, ${own('merchant_available')}, 'TRY', amount, at
   from numbers where n % 3 > 0`,
  `insert into events (merchant_id, id, transaction_id, sequence, type, body, created_at, position)
   select merchant_id, ${id('e')}, ${id('d')}, 1, 'deposit.' || ${status}, ${body}, at, (select last from event_positions) + n
   from numbers where not open`,
  `insert into delivery_attempts (merchant_id, event_id, endpoint_id, number, at, connect_ms, wait_ms, read_ms, outcome, status, answer)
   select merchant_id, ${id('e')}, '5eed5eed5eed5eed5eed5eed', 1, at, 1, 1, 1, 'accepted', 200, 'ok' from numbers where not open`,
]

const state = `case when open then 'queued' when n % 50 = 7 then 'returned' else 'sent' end`
const payoutState = `case when n % 50 = 7 then 'returned' else 'sent' end`

const WITHDRAWALS = [
  `insert into withdrawals (merchant_id, id, process_id, amount, fee, currency, status, iban, account_name, user_id, user_name, name,
     created_at, updated_at, state)
   select merchant_id, ${id('w')}, 'payout-' || n, amount, 0, 'TRY', case when open then 'pending' else 'completed' end, iban, name,
     customer, username, name, at, at, ${state} from numbers`,
  `insert into holds (merchant_id, subject_id, currency, amount, state, created_at, resolved_at)
   select merchant_id, ${id('w')}, 'TRY', amount, case when open then 'pending' else 'posted' end, at, case when not open then at end
   from numbers`,
  // The router moves what is held of the open ones.
  `insert into transfers (merchant_id, subject_id, id, entry_id, kind, effective_on, actor, from_account, to_account, currency, amount, created_at)
   select merchant_id, ${id('w')}, ${id('h')}, ${id('h')}, 'withdrawal_hold', at::date, 'system', ${house}, ${own('merchant_held')}, 'TRY', amount, at
   from numbers where open and ${house} <> ${own('merchant_held')}`,
  `insert into status_history (merchant_id, transaction_id, sequence, from_status, to_status, changed_at)
   select merchant_id, ${id('w')}, 1, 'pending', 'completed', at from numbers where not open`,
  `insert into payouts (merchant_id, withdrawal_id, source_account_id, connection, rail, amount, currency, iban, account_name, description,
     purpose_code, state, next_at, created_at, updated_at, debit_line_id, credit_line_id)
   select merchant_id, ${id('w')}, ${collecting}, 'seed', 'fast', amount, 'TRY', iban, name, 'withdrawal of the customer', '99',
     ${payoutState}, at, at, at, 'seed', case when n % 50 = 7 then 'seed' end from numbers where not open`,
  `insert into payout_calls (merchant_id, withdrawal_id, number, kind, outcome, called_at)
   select merchant_id, ${id('w')}, 1, 'submit', 'accepted', at from numbers where not open`,
  `insert into transfers (merchant_id, subject_id, id, entry_id, kind, effective_on, actor, from_account, to_account, currency, amount, created_at)
   select merchant_id, ${id('w')}, ${id('t')}, ${id('t')}, 'withdrawal_settlement', at::date, 'system', ${own('merchant_available')}, ${house}, 'TRY', amount, at
   from numbers where not open`,
  `insert into events (merchant_id, id, transaction_id, sequence, type, body, created_at, position)
   select merchant_id, ${id('v')}, ${id('w')}, 1, 'withdrawal.completed', ${body}, at, (select last from event_positions) + n
   from numbers where not open`,
]

/** A balance is the sum of its transfers, also after these. */
const BALANCES = `
  update accounts a set balance = moved.amount, lowest = least(a.lowest, moved.amount) from (
    select account, sum(amount)::bigint as amount from (
      select to_account as account, amount from transfers union all select from_account, -amount from transfers
    ) as t group by account
  ) as moved where a.id = moved.account`

/**
 * Inserts deposits, and three withdrawals per ten deposits, with the rows they leave in every table. The first merchant
 * has no failed and no pending ones.
 */
export async function seedHistory(client: pg.Client, { merchantIds, deposits, until }: History): Promise<void> {
  const second = Math.floor(until.getTime() / 1000)
  for (const [count, statements] of [
    [deposits, DEPOSITS],
    [Math.round(deposits * WITHDRAWN), WITHDRAWALS],
  ] as const) {
    await client.query(NUMBERS, [merchantIds, count, second])
    for (const statement of statements) await client.query(statement)
    await client.query('update event_positions set last = (select coalesce(max(position), 0) from events)')
    await client.query('drop table numbers')
  }
  await client.query(BALANCES)
}
