-- online: an index of a large table, and constraints that read two large tables.
-- Creation of other withdrawals does not enter it.
create index concurrently if not exists withdrawals_refunds on withdrawals (merchant_id, refund_of) where refund_of is not null;
alter table deposits validate constraint deposits_refunded_within_received;
alter table withdrawals validate constraint withdrawals_one_purpose;
