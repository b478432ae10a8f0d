-- The way of a withdrawal inside the house. The four public statuses follow from the stage.
alter table withdrawals
  add column stage text not null default 'queued',
  add column stage_reason text,
  add column first_time_iban boolean not null default false,
  add column rail text,
  add column source_account_id text collate "C",
  add column scheduled_for timestamptz,
  add column bank_reference text;

update withdrawals set stage = 'failed' where status = 'failed';

alter table withdrawals add constraint withdrawals_stage_fits_status check (
  (status = 'pending' and stage in ('awaiting_approval', 'queued', 'scheduled'))
  or (status = 'processing' and stage in ('submitted', 'in_doubt'))
  or (status = 'completed' and stage in ('settled', 'returned'))
  or (status = 'failed' and stage = 'failed')
);

create index withdrawals_to_send on withdrawals (id) where stage in ('queued', 'scheduled');
create index withdrawals_to_approve on withdrawals (id) where stage = 'awaiting_approval';
create index withdrawals_by_iban on withdrawals (merchant_id, iban, id);

-- What was asked for and approved is what is sent.
create trigger withdrawals_terms_fixed before update on withdrawals
  for each row when (
    (old.merchant_id, old.id, old.process_id, old.amount, old.fee, old.currency, old.iban, old.account_name)
    is distinct from (new.merchant_id, new.id, new.process_id, new.amount, new.fee, new.currency, new.iban, new.account_name)
  ) execute function refuse_change();

-- One row per person: nobody approves twice, and two approvals are two people.
create table withdrawal_approvals (
  merchant_id text collate "C" not null,
  withdrawal_id text collate "C" not null,
  operator text not null references operators (name),
  decision text not null,
  note text,
  decided_at timestamptz not null,
  primary key (merchant_id, withdrawal_id, operator),
  constraint withdrawal_approvals_known check (decision in ('approve', 'reject'))
);

create trigger withdrawal_approvals_append_only before update or delete on withdrawal_approvals
  for each row execute function refuse_change();
create trigger withdrawal_approvals_never_emptied before truncate on withdrawal_approvals
  for each statement execute function refuse_change();

-- One payout per withdrawal, for ever: its reference at the bank is the withdrawal's id. Written before the bank is called.
create table payouts (
  merchant_id text collate "C" not null,
  withdrawal_id text collate "C" not null,
  source_account_id text collate "C" not null references collecting_accounts (id),
  connection text not null,
  rail text not null,
  amount bigint not null,
  currency text not null,
  iban text not null,
  account_name text not null,
  description text not null,
  purpose_code text not null,
  -- intent: to be sent · calling: a worker has it, until its lease ends · unknown: to be asked about, never re-sent ·
  -- accepted, rejected, returned: what the bank said.
  state text not null,
  -- Grows with every claim; an answer is recorded only by the holder of the newest.
  fence int not null default 0,
  lease_until timestamptz,
  next_at timestamptz not null,
  submits int not null default 0,
  asks int not null default 0,
  bank_reference text,
  reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, withdrawal_id),
  constraint payouts_positive check (amount > 0),
  constraint payouts_described check (char_length(description) >= 20),
  constraint payouts_known_state check (state in ('intent', 'calling', 'unknown', 'accepted', 'rejected', 'returned'))
);

-- The reference at the bank: one transfer under it, whoever asks.
create unique index payouts_reference on payouts (withdrawal_id);
create index payouts_due on payouts (next_at) where state in ('intent', 'calling', 'unknown');
create index payouts_in_flight on payouts (source_account_id) where state in ('intent', 'calling', 'unknown');
create index payouts_by_source_and_day on payouts (source_account_id, created_at);
create index payouts_by_merchant_and_day on payouts (merchant_id, created_at);

create trigger payouts_terms_fixed before update on payouts
  for each row when (
    (old.merchant_id, old.withdrawal_id, old.source_account_id, old.connection, old.amount, old.currency, old.iban, old.account_name)
    is distinct from
    (new.merchant_id, new.withdrawal_id, new.source_account_id, new.connection, new.amount, new.currency, new.iban, new.account_name)
  ) execute function refuse_change();

-- Every word exchanged with the bank about a payout.
create table payout_calls (
  merchant_id text collate "C" not null,
  withdrawal_id text collate "C" not null,
  number int not null,
  kind text not null,
  outcome text not null,
  detail text,
  called_at timestamptz not null,
  primary key (merchant_id, withdrawal_id, number)
);

create trigger payout_calls_append_only before update or delete on payout_calls
  for each row execute function refuse_change();
create trigger payout_calls_never_emptied before truncate on payout_calls
  for each statement execute function refuse_change();

-- What people found out about a payout whose outcome the bank would not tell. Two must agree, each with evidence.
create table doubt_decisions (
  merchant_id text collate "C" not null,
  withdrawal_id text collate "C" not null,
  -- Which sending it is about: what was found out about one says nothing about the next.
  submits int not null,
  operator text not null references operators (name),
  verdict text not null,
  evidence text not null,
  decided_at timestamptz not null,
  primary key (merchant_id, withdrawal_id, submits, operator),
  constraint doubt_decisions_known check (verdict in ('found', 'not_found')),
  constraint doubt_decisions_evidence check (char_length(evidence) >= 5)
);

create trigger doubt_decisions_append_only before update or delete on doubt_decisions
  for each row execute function refuse_change();
create trigger doubt_decisions_never_emptied before truncate on doubt_decisions
  for each statement execute function refuse_change();

-- Lines that are about our own payouts: money that left, or came back.
alter table bank_lines
  add column for_payouts boolean not null default false,
  add column withdrawal_id text collate "C",
  drop constraint bank_lines_matched_to_one,
  add constraint bank_lines_matched_to_one check (state <> 'matched' or num_nonnulls(deposit_id, withdrawal_id) = 1);

create index bank_lines_of_payouts on bank_lines (id) where state = 'new' and for_payouts;

create index bank_lines_by_withdrawal on bank_lines (withdrawal_id) where withdrawal_id is not null;
