-- online: indexes of large tables.
-- Pending rows are in none of them, because creation would enter it. The version before reads its table while it is replaced.
create index concurrently if not exists deposits_by_customer_and_time on deposits
  using gin (search_keys(id, customer_id || ' ' || customer_name || ' ' || customer_username))
  with (fastupdate = off) where status <> 'pending';
drop index concurrently if exists deposits_by_customer;

create index concurrently if not exists withdrawals_by_customer_and_time on withdrawals
  using gin (search_keys(id, user_id || ' ' || user_name || ' ' || name || ' ' || account_name))
  with (fastupdate = off) where status <> 'pending';
drop index concurrently if exists withdrawals_by_customer;

create index concurrently if not exists bank_lines_by_sender_and_time on bank_lines
  using gin (search_keys(id, sender_name)) with (fastupdate = off);
drop index concurrently if exists bank_lines_by_sender;

-- Lists of all merchants by status, and a search by id alone; those of withdrawals are served by withdrawals_by_stage.
create index concurrently if not exists deposits_by_status_and_time on deposits (status, id, merchant_id) where status <> 'pending';
