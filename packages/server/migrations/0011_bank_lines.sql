-- Lines of bank statements, from whatever source, each once.
create table bank_lines (
  id text collate "C" primary key,
  collecting_account_id text collate "C" not null references collecting_accounts (id),
  -- The same line seen again has the same key; identical genuine lines are told apart by their occurrence.
  natural_key text collate "C" not null,
  occurrence int not null,
  source text not null,
  bank_reference text,
  amount bigint not null,
  currency text not null,
  direction text not null,
  value_date date not null,
  booked_at timestamptz not null,
  sender_name text not null,
  sender_iban text,
  narrative text not null,
  -- new: waits for the matcher · matched: credited to a deposit · suspense: nobody's yet, or held for a deposit ·
  -- queue: not incoming money, a person or the payout side explains it.
  state text not null,
  reason text,
  merchant_id text collate "C",
  deposit_id text collate "C",
  created_at timestamptz not null,
  decided_at timestamptz,
  constraint bank_lines_once unique (collecting_account_id, natural_key, occurrence),
  constraint bank_lines_positive check (amount > 0),
  constraint bank_lines_known_direction check (direction in ('credit', 'debit')),
  constraint bank_lines_known_state check (state in ('new', 'matched', 'suspense', 'queue')),
  constraint bank_lines_decided check ((state = 'new') = (decided_at is null)),
  constraint bank_lines_matched_to_one check (state <> 'matched' or deposit_id is not null)
);

create index bank_lines_to_match on bank_lines (id) where state = 'new';
create index bank_lines_for_people on bank_lines (id) where state in ('suspense', 'queue');
create index bank_lines_by_deposit on bank_lines (merchant_id, deposit_id) where deposit_id is not null;
create index bank_lines_by_day on bank_lines (value_date, collecting_account_id) where direction = 'credit';

-- How far each source has been read.
create table statement_cursors (
  source text primary key,
  cursor text not null
);

-- Why a line went where it went, and who said so. One row per decision; a person's comes after the matcher's.
create table match_decisions (
  line_id text collate "C" not null references bank_lines (id),
  number int not null,
  verdict text not null,
  why text not null,
  merchant_id text collate "C",
  deposit_id text collate "C",
  score int,
  reasons json not null,
  suggestions json not null,
  decided_by text not null,
  decided_at timestamptz not null,
  primary key (line_id, number)
);

create trigger match_decisions_append_only before update or delete on match_decisions
  for each row execute function refuse_change();
create trigger match_decisions_never_emptied before truncate on match_decisions
  for each statement execute function refuse_change();
