-- Who took an unread line in, by a retry. Null for lines taken in before.
alter table unread_lines add column taken_in_by text;

-- A closed unread line may be opened again, and closed again: a line has any number of closings.
alter table closed_unread_lines
  drop constraint closed_unread_lines_pkey,
  add constraint closed_unread_lines_pkey primary key (source, raw_hash, closed_at);

-- A person opens a closed unread line again. The closing stays.
create table reopened_unread_lines (
  source text not null,
  raw_hash text collate "C" not null,
  closed_at timestamptz not null,
  operator text not null,
  reopened_at timestamptz not null,
  constraint reopened_unread_lines_pkey primary key (source, raw_hash, closed_at),
  constraint reopened_unread_lines_closing foreign key (source, raw_hash, closed_at)
    references closed_unread_lines (source, raw_hash, closed_at)
);

create trigger reopened_unread_lines_append_only before update or delete on reopened_unread_lines
  for each row execute function refuse_change();
create trigger reopened_unread_lines_never_emptied before truncate on reopened_unread_lines
  for each statement execute function refuse_change();

-- Opened while several connections were known and none was named: nothing is booked for it, and no customer gets it, until it has one.
alter table collecting_accounts add column awaits_connection boolean not null default false;

-- Two people also decide about a completed payout that no debit shows, perhaps the same two who found it when its outcome was unknown.
alter table doubt_decisions
  drop constraint doubt_decisions_known,
  add constraint doubt_decisions_known check (verdict in ('found', 'not_found', 'never_paid', 'paid')),
  drop constraint doubt_decisions_pkey,
  add constraint doubt_decisions_pkey primary key (merchant_id, withdrawal_id, submits, operator, verdict);
