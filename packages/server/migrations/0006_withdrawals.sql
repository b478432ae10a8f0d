create table withdrawals (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  process_id text collate "C" not null,
  amount bigint not null,
  fee bigint not null,
  currency text not null,
  status text not null,
  sequence int not null default 0,
  bank_id text collate "C",
  iban text not null,
  account_name text not null,
  user_id text not null,
  user_name text not null,
  name text not null,
  failure_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  constraint withdrawals_process_id unique (merchant_id, process_id),
  constraint withdrawals_positive check (amount > 0 and fee >= 0),
  constraint withdrawals_known_status check (status in ('pending', 'processing', 'completed', 'failed')),
  constraint withdrawals_failed_for_a_reason check ((status = 'failed') = (failure_reason is not null))
);

create table withdrawal_history (
  merchant_id text collate "C" not null,
  withdrawal_id text collate "C" not null,
  sequence int not null,
  from_status text not null,
  to_status text not null,
  reason text,
  changed_at timestamptz not null,
  primary key (merchant_id, withdrawal_id, sequence)
);

create trigger withdrawal_history_append_only before update or delete on withdrawal_history
  for each row execute function refuse_change();
create trigger withdrawal_history_never_emptied before truncate on withdrawal_history
  for each statement execute function refuse_change();
