-- online: indexes of large tables.
-- The index by status was entered by every creation: a tenth of its time. Pending rows are found in indexes that creation enters anyway.

-- GET /v1/transactions?status=pending and the expiry of deposits share one index, by merchant.
create index concurrently if not exists deposits_pending on deposits (merchant_id, expires_at) where status = 'pending';
drop index concurrently if exists deposits_to_expire;

-- GET /v1/transactions?status=… of every other status. By an expression, for the reason given in 0028_growth.sql.
create index concurrently if not exists deposits_no_longer_pending on deposits (((merchant_id || '/' || status) collate "C"), id)
  where status <> 'pending';
drop index concurrently if exists deposits_by_status;
create index concurrently if not exists withdrawals_no_longer_pending on withdrawals (((merchant_id || '/' || status) collate "C"), id)
  where status <> 'pending';
drop index concurrently if exists withdrawals_by_status;
