/** Ids begin with the second of the transaction, and differ by two digits that say what the row is. */
const id = (tag: string) => `k || '${tag}' || r`
const DEPOSIT = id('d0')
const WITHDRAWAL = id('a0')
const LINE = id('b0')
const RETURNED_LINE = id('b1')
const EVENT = id('e0')
const NOBODY = `repeat('0', 24)`
const subject = `case when is_deposit then ${DEPOSIT} else ${WITHDRAWAL} end`

const wasPaid = `is_deposit and status = 'completed'`
const isSent = `not is_deposit and state in ('sending', 'unknown', 'sent', 'returned', 'failed')`
const isSettled = `not is_deposit and state in ('sent', 'returned')`
/** Lines without a transaction: a constant number of them waits. */
const isStray = `is_deposit and status = 'expired' and (age < 300 or n % 1000 = 0)`
const strayState = `case when age >= 300 then 'dismissed' when n / 2 % 2 = 0 then 'suspense' else 'needs_review' end`

const transfer = (tag: string, kind: string, [from, to]: [string, string], amount: string, where: string) => `
  select n, merchant_id, ${subject} as subject, ${id(tag)} as id, k || 'f' || substr('${tag}', 2) || r as entry, '${kind}' as kind, day,
    ${from} as from_account, ${to} as to_account, ${amount} as amount, at
  from numbers where ${where}`

const TRANSFERS = [
  transfer('10', 'deposit_settlement', ['cash', 'available'], 'amount - fee', wasPaid),
  transfer('20', 'deposit_settlement', ['cash', 'fees'], 'fee', `${wasPaid} and fee > 0`),
  transfer('31', 'withdrawal_hold', ['available', 'held'], 'amount + fee', 'not is_deposit'),
  transfer('42', 'withdrawal_submission', ['held', 'transit'], 'amount + fee', isSent),
  transfer('53', 'withdrawal_settlement', ['transit', 'cash'], 'amount', isSettled),
  transfer('63', 'withdrawal_settlement', ['transit', 'fees'], 'fee', isSettled),
  transfer('74', 'withdrawal_refusal', ['transit', 'available'], 'amount + fee', `state = 'failed'`),
  transfer('85', 'withdrawal_return', ['cash', 'available'], 'amount', `state = 'returned'`),
  `select n, ${NOBODY}, ${LINE}, ${id('96')}, ${id('f6')}, 'suspense_receipt', day, cash, suspense, amount, at
   from numbers where ${isStray} and ${strayState} = 'suspense'`,
]

const line = (rest: { id: string; direction: string; state: string; reference: string; where: string }) => `
  insert into bank_lines (id, collecting_account_id, natural_key, occurrence, source, bank_reference, amount, currency, direction,
    value_date, booked_at, sender_name, sender_iban, narrative, state, created_at, decided_at, statement_id)
  select ${rest.id}, account_id, ${rest.id}, 1, 'bench', ${rest.reference}, amount, 'TRY', '${rest.direction}', day, at, upper(name), iban,
    'FAST ' || customer || ' odeme', ${rest.state}, at, at, statement_id from numbers where ${rest.where}`

const number = `lpad((n * 7919 % 10000000000)::text, 10, '0')`

const part = (lineId: string, kind: string, of: string, where: string) => `
  insert into line_parts (line_id, kind, subject, merchant_id, amount, explained_at)
  select ${lineId}, '${kind}', ${of}, merchant_id, amount, at from numbers where ${where}`

/** The last day of a turn is also the first of the next one; keys are missing meanwhile. */
const isNewIn = (name: string) => `where not exists (select from ${name} s where s.id = statement_id)`

/** Everything that the transactions of \`numbers\` leave, table by table. */
export const ROWS: string[] = [
  `insert into statements (id, collecting_account_id, connection, from_day, to_day, created_at, newest_line_at)
   select distinct on (statement_id) statement_id, account_id, 'bench', day, day, day, day + time '23:00' from numbers ${isNewIn('statements')}`,
  `insert into deposits (merchant_id, id, process_id, amount, currency, status, sequence, collecting_account_id, customer_id,
     customer_name, customer_username, language, received_amount, fee, reference_code, expires_at, created_at, updated_at)
   select merchant_id, ${DEPOSIT}, 'order-' || n, amount, 'TRY', status, case status when 'completed' then 2 when 'pending' then 0 else 1 end,
     account_id, 'c' || customer, name, 'user' || customer, 'tr', case status when 'completed' then amount else 0 end, fee,
     lpad(upper(to_hex(n)), 8, 'Z'), at + interval '30 minutes', at, at from numbers where is_deposit`,
  `insert into status_history (merchant_id, transaction_id, sequence, from_status, to_status, changed_at)
   select merchant_id, ${DEPOSIT}, sequence, case sequence when 1 then 'pending' else 'processing' end,
     case when status = 'completed' and sequence = 1 then 'processing' else status end, at
   from numbers, generate_series(1, case status when 'completed' then 2 else 1 end) as sequence where is_deposit and status <> 'pending'`,
  line({ ...{ id: LINE, direction: 'credit', state: `'matched'`, reference: number }, where: wasPaid }),
  line({
    ...{ id: LINE, direction: 'credit', state: strayState, reference: number, where: isStray },
  }),
  line({ ...{ id: LINE, direction: 'debit', state: `'matched'`, reference: number }, where: isSettled }),
  line({
    ...{ id: RETURNED_LINE, direction: 'credit', state: `'matched'`, reference: `'R' || ${number}` },
    where: `state = 'returned'`,
  }),
  part(LINE, 'deposit', DEPOSIT, wasPaid),
  part(LINE, 'payout', WITHDRAWAL, isSettled),
  part(RETURNED_LINE, 'payout_return', WITHDRAWAL, `state = 'returned'`),
  `insert into match_decisions (line_id, number, verdict, why, merchant_id, deposit_id, reasons, suggestions, decided_by, decided_at)
   select ${LINE}, 1, 'complete', 'code', merchant_id, ${DEPOSIT}, '[]', '[]', 'matcher', at from numbers where ${wasPaid}`,
  `insert into withdrawals (merchant_id, id, process_id, amount, fee, currency, status, sequence, iban, account_name, user_id, user_name, name,
     failure_reason, created_at, updated_at, state, rail, source_account_id, bank_reference)
   select merchant_id, ${WITHDRAWAL}, 'payout-' || n, amount, fee, 'TRY', status, case status when 'pending' then 0 else 1 end, iban, name,
     'c' || customer, 'user' || customer, name, case status when 'failed' then 'bank_refused' end, at, at, state,
     case when ${isSent} then 'fast' end, case when ${isSent} then account_id end, case when ${isSettled} then ${number} end
   from numbers where not is_deposit`,
  `insert into status_history (merchant_id, transaction_id, sequence, from_status, to_status, changed_at)
   select merchant_id, ${WITHDRAWAL}, 1, 'pending', status, at from numbers where not is_deposit and status <> 'pending'`,
  `insert into holds (merchant_id, subject_id, currency, amount, state, created_at, resolved_at)
   select merchant_id, ${WITHDRAWAL}, 'TRY', amount + fee, case status when 'pending' then 'pending' else 'posted' end, at,
     case when status <> 'pending' then at end from numbers where not is_deposit`,
  `insert into payouts (merchant_id, withdrawal_id, source_account_id, connection, rail, amount, currency, iban, account_name, description,
     purpose_code, state, next_at, submits, bank_reference, reason, created_at, updated_at, debit_line_id, credit_line_id)
   select merchant_id, ${WITHDRAWAL}, account_id, 'bench', 'fast', amount, 'TRY', iban, name, 'withdrawal of the customer', '99',
     case state when 'unknown' then 'asking' when 'sending' then 'calling' else state end,
     at, 1, case when ${isSettled} then ${number} end, case state when 'failed' then 'bank_refused' end, at, at,
     case when ${isSettled} then ${LINE} end, case state when 'returned' then ${RETURNED_LINE} end from numbers where ${isSent}`,
  `insert into payout_calls (merchant_id, withdrawal_id, number, kind, outcome, called_at)
   select merchant_id, ${WITHDRAWAL}, 1, 'submit', case state when 'unknown' then 'unknown' when 'failed' then 'rejected' else 'accepted' end, at
   from numbers where ${isSent}`,
  // In the order of time, as they are written: the index by day depends on it.
  `insert into transfers (merchant_id, subject_id, id, entry_id, kind, effective_on, actor, from_account, to_account, currency, amount, created_at)
   select merchant_id, subject, id, entry, kind, day, 'system', from_account, to_account, 'TRY', amount, at
   from (${TRANSFERS.join(' union all ')}) as t order by n, id`,
  `insert into events (merchant_id, id, transaction_id, sequence, type, body, created_at, position)
   select merchant_id, ${EVENT}, ${subject}, 1, case when is_deposit then 'deposit.' else 'withdrawal.' end || status,
     '{"eventId":"' || ${EVENT} || '",' || repeat('"transactionId":"0123456789",', 20) || '"n":' || n || '}', at, n
   from numbers where status <> 'pending'`,
  `insert into deliveries (merchant_id, endpoint_id, event_id, transaction_id, type, position, state, tries, since, next_at, created_at, last_outcome, last_status)
   select merchant_id, endpoint_id, ${EVENT}, ${subject}, 'deposit.' || status, n, case when age < 100 then 'waiting' else 'given_up' end, 1, at, at, at, '5xx', 500
   from numbers where is_deposit and status <> 'pending' and (age < 100 or n % 1000 = 1)`,
  `insert into delivery_attempts (merchant_id, event_id, endpoint_id, number, at, connect_ms, wait_ms, read_ms, outcome, status, answer)
   select merchant_id, ${EVENT}, endpoint_id, 1, at, 1, 20, 1, case when n % 1000 = 1 then '5xx' else 'accepted' end,
     case when n % 1000 = 1 then 500 else 200 end, 'ok' from numbers where status <> 'pending'`,
  // As many as are kept.
  `insert into api_calls (merchant_id, id, at, method, path, status, code, duration_ms, address, request_id)
   select merchant_id, ${id('c0')}, at, 'POST', case when is_deposit then '/v1/deposit' else '/v1/withdraw' end,
     case when n % 20 = 0 then 400 else 201 end, case when n % 20 = 0 then 'VALIDATION_ERROR' end, 7, '192.0.2.1', r
   from numbers where age < 14000`,
  `insert into payment_links (merchant_id, id, made_by, made_at) select merchant_id, ${DEPOSIT}, 'bench', at from numbers where is_deposit and n % 100 = 11`,
  `insert into proposals (merchant_id, id, kind, target, payload, payload_sha256, description, seen_sha256, proposed_by, proposed_at, state, decided_by, decided_at)
   select merchant_id, ${id('10')}, 'instruction', 'instruction:' || ${id('10')}, 'null', r, '[]', r, 'a', at, 'applied', 'b', at from numbers where n % 100 = 18`,
  `insert into statement_files (id, connection, name, sha256, size, format, account_iban, state, checks, lines, pending, unread, created_by, created_at, imported_at)
   select distinct on (statement_id) statement_id, 'bench', 'ekstre-' || day || '.xml', md5(statement_id), 1000, 'camt.053', null, 'imported', '[]'::json,
     1, 0, 0, 'bench', at, at from numbers ${isNewIn('statement_files')}`,
]

/** After all rows: what they add up to. $1: the first day that is not closed; $2: two people. */
export const SUMS: { what: string; text: string; values?: 'closing' }[] = [
  {
    what: 'balances of the ledger',
    text: `update accounts a set balance = a.balance + moved.amount from (
       select account, sum(amount)::bigint as amount from (
         select to_account as account, amount from transfers union all select from_account, -amount from transfers
       ) as legs group by account
     ) as moved where moved.account = a.id`,
  },
  {
    what: 'balances of statements',
    text: `update statements s set opening_balance = b.closing - b.moved, closing_balance = b.closing from (
       select statement_id, moved, sum(moved) over (partition by account_id order by day) as closing from (
         select l.statement_id, min(l.collecting_account_id) as account_id, min(l.value_date) as day,
           sum(case when l.state = 'dismissed' then 0 when l.direction = 'credit' then l.amount else -l.amount end)::bigint as moved
         from bank_lines l group by l.statement_id
       ) as days
     ) as b where b.statement_id = s.id`,
  },
  {
    what: 'closed days',
    values: 'closing',
    text: `insert into book_decisions (id, day, action, proposed_by, operator, figures_hash, figures, decided_at)
     select lpad(to_hex(extract(epoch from day)::bigint), 8, '0') || repeat('0', 16), day, 'close', ($2::text[])[1], ($2::text[])[2], 'bench', '{}', day + 1
     from (select distinct from_day as day from statements where from_day < $1::date) as days`,
  },
  {
    what: 'balances of closed days',
    text: `insert into book_balances (decision_id, account_id, balance)
     select d.id, moved.account, moved.total from (
       select account, day, sum(amount) over (partition by account order by day) as total from (
         select account, day, coalesce(sum(amount), 0)::bigint as amount from (
           select to_account as account, effective_on as day, amount from transfers
           union all select from_account, effective_on, -amount from transfers
           union all select a.id, d.day, 0 from accounts a, book_decisions d
         ) as legs group by account, day
       ) as days
     ) as moved join book_decisions d on d.day = moved.day where moved.total <> 0`,
  },
  {
    what: 'movements of closed days',
    text: `insert into book_movements (decision_id, merchant_id, currency, kind, net, fee)
     select d.id, legs.merchant_id, 'TRY', legs.kind, sum(legs.net)::bigint, sum(legs.fee)::bigint from (
       select t.merchant_id, t.effective_on, t.kind, case when a.kind = 'fees' then 0 else t.amount end as net, case when a.kind = 'fees' then t.amount else 0 end as fee
       from transfers t join accounts a on a.id = t.to_account and a.kind in ('merchant_available', 'merchant_held', 'payouts_in_transit', 'fees')
       union all
       select t.merchant_id, t.effective_on, t.kind, -t.amount, 0
       from transfers t join accounts a on a.id = t.from_account and a.kind in ('merchant_available', 'merchant_held', 'payouts_in_transit')
     ) as legs join book_decisions d on d.day = legs.effective_on
     group by d.id, legs.merchant_id, legs.kind having sum(legs.net) <> 0`,
  },
]
