create table deposits (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  process_id text collate "C" not null,
  amount bigint not null,
  currency text not null,
  status text not null,
  -- How often the status has changed: the number of history rows and of events.
  sequence int not null default 0,
  bank_id text collate "C",
  collecting_account_id text collate "C",
  customer_id text not null,
  customer_name text not null,
  customer_username text not null,
  metadata json,
  return_url text,
  language text not null,
  received_amount bigint not null default 0,
  fee bigint not null default 0,
  flags text[] not null default '{}',
  reason text,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  constraint deposits_process_id unique (merchant_id, process_id),
  constraint deposits_positive check (amount > 0 and received_amount >= 0 and fee >= 0),
  constraint deposits_known_status check (
    status in ('pending', 'processing', 'completed', 'failed', 'expired', 'cancelled')
  ),
  constraint deposits_known_language check (language in ('tr', 'en'))
);

-- Only deposits that wait are in it, so it stays small however many there have been.
create index deposits_to_expire on deposits (expires_at) where status = 'pending';

create table deposit_history (
  merchant_id text collate "C" not null,
  deposit_id text collate "C" not null,
  sequence int not null,
  from_status text not null,
  to_status text not null,
  reason text,
  changed_at timestamptz not null,
  primary key (merchant_id, deposit_id, sequence)
);

create trigger deposit_history_append_only before update or delete on deposit_history
  for each row execute function refuse_change();
create trigger deposit_history_never_emptied before truncate on deposit_history
  for each statement execute function refuse_change();
