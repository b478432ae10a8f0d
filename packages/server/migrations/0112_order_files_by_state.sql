-- online: an index of a large table.
-- The list of order files in the console, newest first, of one state: few are cancelled.
create index concurrently if not exists payout_batches_by_state on payout_batches (state, created_at);
