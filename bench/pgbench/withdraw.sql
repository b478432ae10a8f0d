-- The smallest transaction that creates a withdrawal, statement by statement.
\set merchant random(1, :merchants)
\set number random(1, 9000000000000000000)
begin;
select m.id as merchant_id, available.id as available_id, held.id as held_id
from bench_merchants m
join accounts available on available.merchant_id = m.id and available.kind = 'merchant_available' and available.currency = 'TRY'
join accounts held on held.merchant_id = m.id and held.kind = 'merchant_held' and held.currency = 'TRY'
where m.place = :merchant for update of available, held \gset
select id from withdrawals where merchant_id = :merchant_id and process_id = lpad(to_hex(:number::bigint), 24, '0');
insert into withdrawals (
  merchant_id, id, process_id, amount, fee, currency, bank_id, iban, account_name, user_id, user_name, name, status, created_at, updated_at
) values (
  :merchant_id, lpad(to_hex(:number::bigint), 24, '0'), lpad(to_hex(:number::bigint), 24, '0'), 100, 0, 'TRY', null, 'TR330006100519786457841326',
  'Ayse Yilmaz', 'user-1', 'ayse', 'Ayse Yilmaz', 'pending', now(), now()
);
insert into holds (merchant_id, subject_id, currency, amount, state, created_at)
values (:merchant_id, lpad(to_hex(:number::bigint), 24, '0'), 'TRY', 100, 'pending', now());
insert into transfers
  (merchant_id, subject_id, id, entry_id, kind, effective_on, actor, from_account, to_account, currency, amount, created_at)
values (
  :merchant_id, lpad(to_hex(:number::bigint), 24, '0'), lpad(to_hex(:number::bigint), 24, '0'), lpad(to_hex(:number::bigint), 24, '0'),
  'withdrawal_hold', now()::date, 'merchant', :available_id, :held_id, 'TRY', 100, now()
);
update accounts set balance = balance - 100 where id = :available_id;
update accounts set balance = balance + 100 where id = :held_id;
commit;
