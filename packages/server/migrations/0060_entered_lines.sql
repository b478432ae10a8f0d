-- Bank lines that people enter while the bank's system is down: proposed by one person, booked as a bank line by another.

create table entered_lines (
  id text collate "C" not null,
  collecting_account_id text collate "C" not null,
  direction text not null,
  amount bigint not null,
  booked_on date not null,
  sender_name text not null,
  sender_iban text,
  narrative text not null,
  -- Similar lines of which the person says that they are other payments.
  besides text[] not null,
  reason text not null,
  proposed_by text not null,
  proposed_at timestamptz not null,
  state text not null default 'proposed',
  decided_by text,
  decided_at timestamptz,
  -- Why it was rejected or withdrawn.
  note text,
  line_id text collate "C",
  constraint entered_lines_pkey primary key (id),
  constraint entered_lines_direction check (direction in ('credit', 'debit')),
  constraint entered_lines_positive check (amount > 0),
  constraint entered_lines_reason check (char_length(reason) >= 5),
  constraint entered_lines_known_state check (state in ('proposed', 'booked', 'rejected', 'withdrawn')),
  constraint entered_lines_decided check ((state = 'proposed') = (decided_by is null) and (decided_by is null) = (decided_at is null)),
  constraint entered_lines_two_people check (state not in ('booked', 'rejected') or decided_by <> proposed_by),
  constraint entered_lines_withdrawn_by_proposer check (state <> 'withdrawn' or decided_by = proposed_by),
  constraint entered_lines_noted check ((state in ('rejected', 'withdrawn')) = (note is not null)),
  constraint entered_lines_booked check ((state = 'booked') = (line_id is not null)),
  constraint entered_lines_line_once unique (line_id),
  constraint entered_lines_account foreign key (collecting_account_id) references collecting_accounts (id),
  constraint entered_lines_line foreign key (line_id) references bank_lines (id),
  constraint entered_lines_proposed_by foreign key (proposed_by) references operators (name),
  constraint entered_lines_decided_by foreign key (decided_by) references operators (name)
);

create index entered_lines_of_account on entered_lines (collecting_account_id, amount) where state = 'booked';

-- The second person books what the first has entered, and a decision stands. Only personal data may become the marker.
create trigger entered_lines_terms_fixed before update on entered_lines
for each row when (
  (old.id, old.collecting_account_id, old.direction, old.amount, old.booked_on, old.besides, old.reason, old.proposed_by, old.proposed_at)
  is distinct from
  (new.id, new.collecting_account_id, new.direction, new.amount, new.booked_on, new.besides, new.reason, new.proposed_by, new.proposed_at)
  or (old.state <> 'proposed' and (old.state, old.decided_by, old.decided_at, old.note, old.line_id)
    is distinct from (new.state, new.decided_by, new.decided_at, new.note, new.line_id))
  or ((old.sender_name, old.sender_iban, old.narrative) is distinct from (new.sender_name, new.sender_iban, new.narrative)
    and (new.sender_name, new.narrative) is distinct from ('[erased]', '[erased]'))
) execute function refuse_change_of_terms();
create trigger entered_lines_never_deleted before delete on entered_lines for each row execute function refuse_change();
create trigger entered_lines_never_emptied before truncate on entered_lines for each statement execute function refuse_change();
