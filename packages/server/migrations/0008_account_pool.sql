-- What a collecting account may take in a day. Null means no limit of its own.
alter table collecting_accounts
  add column daily_amount_limit bigint,
  add column daily_count_limit int,
  add constraint collecting_accounts_daily_limits check (daily_amount_limit > 0 and daily_count_limit > 0);
