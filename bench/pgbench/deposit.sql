-- The smallest transaction that creates a deposit, statement by statement.
\set merchant random(1, :merchants)
\set number random(1, 9000000000000000000)
begin;
select m.id as merchant_id, m.account_id as account_id from bench_merchants m where m.place = :merchant \gset
select id from deposits where merchant_id = :merchant_id and process_id = lpad(to_hex(:number::bigint), 24, '0');
insert into deposits (
  merchant_id, id, process_id, amount, currency, status, bank_id, collecting_account_id, customer_id, customer_name,
  customer_username, language, expires_at, created_at, updated_at, reference_code
) values (
  :merchant_id, lpad(to_hex(:number::bigint), 24, '0'), lpad(to_hex(:number::bigint), 24, '0'), 10000, 'TRY', 'pending',
  (select bank_id from collecting_accounts where id = :account_id), :account_id, 'customer-1', 'Ayse Yilmaz', 'ayse', 'tr',
  now() + interval '30 minutes', now(), now(), to_hex(:number::bigint)
);
commit;
