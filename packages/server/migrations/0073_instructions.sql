-- Withdrawals that one user of a merchant enters in the console and another approves. `lines` is deleted with the decision, or after
-- a week: from then on the withdrawals are the record, and personal data is in one place.
create table instructions (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  state text not null default 'proposed',
  -- Name of the file; null for one that was typed.
  source text,
  currency text not null,
  line_count integer not null,
  total bigint not null,
  lines json,
  lines_hash text not null,
  proposed_by text not null,
  proposed_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  constraint instructions_pkey primary key (merchant_id, id),
  constraint instructions_merchant foreign key (merchant_id) references merchants (id),
  constraint instructions_known_state check (state in ('proposed', 'approved', 'rejected', 'expired')),
  constraint instructions_two_people check (state <> 'approved' or decided_by <> proposed_by),
  constraint instructions_decided check ((state in ('approved', 'rejected')) = (decided_by is not null)),
  constraint instructions_lines_while_open check ((state = 'proposed') = (lines is not null)),
  constraint instructions_positive check (line_count > 0 and total > 0)
);
create index instructions_waiting on instructions (merchant_id, id) where state = 'proposed';
