/** Transactions a day, in both databases: what grows is the history, not the day. */
const PER_DAY = 2000
/** So many of the newest transactions may still be open. The work that waits for people does not grow with the history. */
const OPEN = 400
const CUSTOMERS = 300_000
/** Of ten transactions; the others are withdrawals. */
const DEPOSITS = 7

const FIRST_NAMES = `{Mehmet,Mustafa,Ahmet,Ali,Hüseyin,Hasan,İbrahim,İsmail,Osman,Yusuf,Murat,Ömer,Ramazan,Halil,Süleyman,Abdullah,Mahmut,Recep,Salih,Fatih,
  Fatma,Ayşe,Emine,Hatice,Zeynep,Elif,Meryem,Şerife,Zehra,Sultan,Hanife,Merve,Havva,Zeliha,Esra,Fadime,Özlem,Hacer,Yasemin,Işıl}`
const LAST_NAMES = `{Yılmaz,Kaya,Demir,Şahin,Çelik,Yıldız,Yıldırım,Öztürk,Aydın,Özdemir,Arslan,Doğan,Kılıç,Aslan,Çetin,Kara,Koç,Kurt,Özkan,Şimşek,Polat,Özcan,Korkmaz,Çakır,Erdoğan}`
const ENDINGS = `{"",oğlu,er,soy}`

const STATUS = `case
  when n % 10 < ${DEPOSITS} then case when open then 'pending' when n % 100 < 3 then 'cancelled' when n % 100 < 5 then 'failed'
    when n % 3 = 0 then 'expired' else 'completed' end
  when open then case age / 10 % 5 when 3 then 'processing' when 4 then 'processing' else 'pending' end
  when n / 10 % 25 = 3 then 'failed' else 'completed' end`
const STATE = `case
  when n % 10 < ${DEPOSITS} then null
  when open then (array['awaiting_approval', 'queued', 'sending', 'unknown'])[1 + age / 10 % 4]
  when n / 10 % 25 = 3 then 'failed' when n % 50 = 9 then 'returned' else 'sent' end`

/** Whom transactions are of, as arrays and temporary tables of the session. The first merchant has six of ten. */
export const OWNERS = [
  `create temp table owners as
   select m.place::int, m.id as merchant_id, (select e.id from callback_endpoints e where e.merchant_id = m.id limit 1) as endpoint_id,
     (select a.id from accounts a where a.merchant_id = m.id and a.kind = 'merchant_available' and a.currency = 'TRY') as available,
     (select a.id from accounts a where a.merchant_id = m.id and a.kind = 'merchant_held' and a.currency = 'TRY') as held,
     (select a.id from accounts a where a.merchant_id = m.id and a.kind = 'payouts_in_transit' and a.currency = 'TRY') as transit,
     (select a.id from accounts a where a.merchant_id = m.id and a.kind = 'fees' and a.currency = 'TRY') as fees
   from unnest($1::text[]) with ordinality as m (id, place)`,
  `create temp table sources as
   select row_number() over (order by c.id)::int - 1 as place, c.id as account_id,
     (select a.id from accounts a where a.subject = c.id and a.kind = 'bank_cash' and a.currency = 'TRY') as cash,
     (select a.id from accounts a where a.subject = c.id and a.kind = 'suspense' and a.currency = 'TRY') as suspense
   from collecting_accounts c where c.currency = 'TRY'`,
]

/** One row for each transaction from $1 to $2 of $3, the last of which is of the second $4; $5: how many merchants there are. */
export const NUMBERS = `
  create temp table numbers as
  select n, r, k, at, day, age, open, is_deposit, customer, name, iban, o.*, s.account_id, s.cash, s.suspense, status, state,
    case when is_deposit then amount else greatest(amount / 10, 1000) end as amount,
    case when not is_deposit then 200 when status = 'completed' then amount * 15 / 1000 else 0 end as fee,
    lpad(to_hex(extract(epoch from day)::bigint), 8, '0') || substr(md5(s.account_id || day), 1, 16) as statement_id
  from (
    select n, r, age, open, is_deposit, customer, ${STATUS} as status, ${STATE} as state, lpad(to_hex(second), 8, '0') as k,
      to_timestamp(second) as at, (to_timestamp(second) at time zone 'Europe/Istanbul')::date as day,
      case when n % 4 = 0 then (array[10000, 25000, 50000, 100000, 200000])[1 + n / 4 % 5] else 10000 + n * 7919 % 50000 * 100 end as amount,
      ('${FIRST_NAMES}'::text[])[1 + h % 40] || ' ' || ('${LAST_NAMES}'::text[])[1 + h / 40 % 25] || ('${ENDINGS}'::text[])[1 + h / 1000 % 4] as name,
      'TR' || lpad((customer % 97)::text, 2, '0') || '000620' || lpad((customer * 7919 % 1000003)::text, 8, '0') || lpad((customer * 31 % 100000000)::text, 8, '0') as iban,
      case when mixed % 10 < 6 then 1 else 1 + mixed / 10 % $5::int end as owner, mixed
    from (
      select n, substr(md5(n::text), 1, 14) as r, $3::bigint - n as age, n > $3::bigint - ${OPEN} and ($3::bigint - n) % 2 = 0 as open,
        n % 10 < ${DEPOSITS} as is_deposit, n * 7919 % ${CUSTOMERS} as customer,
        $4::bigint - ($3::bigint - n) * ${(24 * 3600) / PER_DAY} as exact
      from generate_series($1::bigint, $2::bigint) n
    ) as numbered cross join lateral (
      select floor(exact)::bigint as second, ('x' || substr(md5(customer::text), 1, 6))::bit(24)::int as h,
        ('x' || substr(r, 1, 6))::bit(24)::int as mixed
    ) as derived
  ) as one join owners o on o.place = owner join sources s on s.place = mixed / 7 % (select count(*) from sources)`
