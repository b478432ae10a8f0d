-- What the customer's page needs: the code to write into the transfer, and a version that decides which of two answers
-- is the newer one.
alter table deposits
  add column reference_code text collate "C",
  add column version int not null default 0,
  add column claimed_at timestamptz,
  add column account_changed_at timestamptz,
  -- Accounts the customer was shown before: money may still arrive there.
  add column previous_account_ids text[] not null default '{}',
  add constraint deposits_reference_code unique (reference_code);

-- The candidates for a line without a code: open deposits of an account by amount, newest first. Only deposits that
-- still wait are in it.
create index deposits_open_by_amount on deposits (collecting_account_id, amount, created_at)
  where status in ('pending', 'processing', 'expired');
