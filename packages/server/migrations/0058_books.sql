-- Books: days that are closed, who closed them, and what the books said.

-- The last closed day; null while none is. Entries of closed days are dated to the day after it.
create table ledger_closed (
  only_row boolean not null default true,
  until_day date,
  constraint ledger_closed_pkey primary key (only_row),
  constraint ledger_closed_one check (only_row)
);
insert into ledger_closed default values;

-- The day that an entry is about, where a close has moved its accounting date.
alter table transfers
  add column about_day date,
  add constraint transfers_about_earlier_day check (about_day < effective_on) not valid;

create or replace view entry_transfers as
select t.merchant_id, t.subject_id, t.id,
  coalesce(t.entry_id, left(md5(concat_ws('/', t.subject_id, e.kind, extract(epoch from t.created_at))), 24)) as entry_id,
  e.kind,
  coalesce(t.effective_on, (t.created_at at time zone 'Europe/Istanbul')::date) as effective_on,
  coalesce(t.actor, 'unknown') as actor,
  t.from_account, t.to_account, t.currency, t.amount, t.created_at, t.about_day
from transfers t
cross join lateral (
  select coalesce(t.kind, case t.reason
    when 'withdrawal_held' then 'withdrawal_hold'
    when 'withdrawal_released' then 'withdrawal_release'
    when 'payout_submitted' then 'withdrawal_submission'
    when 'payout_settled' then 'withdrawal_settlement'
    when 'withdrawal_fee' then 'withdrawal_settlement'
    when 'payout_refused' then 'withdrawal_refusal'
    when 'payout_returned' then 'withdrawal_return'
    when 'deposit_credited' then 'deposit_settlement'
    when 'deposit_fee' then 'deposit_settlement'
    when 'line_in_suspense' then 'suspense_receipt'
    when 'line_out_of_suspense' then 'suspense_clearing'
    when 'line_replaced' then 'suspense_reversal'
    else 'correction'
  end) as kind
) as e;

-- A close locks out entries of earlier days while it reads them (0x626f6f6b); an entry that was dated before the close is then refused
-- as a conflict, and is dated anew when it is tried again. Entries of the current day need no lock: a day is closed after it is over.
create function refuse_closed_day() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(1651470187);
  if new.effective_on <= (select c.until_day from ledger_closed c) then
    raise exception 'The day % is closed: an entry is dated to the next open day.', new.effective_on
      using errcode = 'serialization_failure', table = 'transfers', constraint = 'transfers_in_open_day';
  end if;
  return null;
end
$$;
create trigger transfers_in_open_day after insert on transfers
  for each row when (new.effective_on < (new.created_at at time zone 'Europe/Istanbul')::date) execute function refuse_closed_day();

-- Bank lines with the day on which the bank booked them. `needs_review` is also stored as `queue`, see decision 0035.
create view day_lines as
select l.id, l.collecting_account_id, coalesce(s.from_day, (l.booked_at at time zone 'Europe/Istanbul')::date) as day,
  case l.direction when 'credit' then l.amount else -l.amount end as amount, l.currency, l.direction,
  case l.state when 'queue' then 'needs_review' else l.state end as state, l.state as stored_state, l.reason, l.statement_id
from bank_lines l left join statements s on s.id = l.statement_id;

-- Every decision about a day: a proposal with the figures that its author saw, and what a second person made of it.
create table book_decisions (
  id text collate "C" not null,
  day date not null,
  action text not null,
  operator text not null,
  -- Of the figures, which the second person names.
  figures_hash text not null,
  figures json not null,
  reason text,
  decided_at timestamptz not null,
  -- The proposal that this decision completes.
  completes text collate "C",
  constraint book_decisions_pkey primary key (id),
  constraint book_decisions_known_action check (action in ('close', 'reopen')),
  constraint book_decisions_operator foreign key (operator) references operators (name),
  constraint book_decisions_completes foreign key (completes) references book_decisions (id),
  constraint book_decisions_completed_once unique (completes),
  constraint book_decisions_why_reopened check (action <> 'reopen' or char_length(reason) >= 5)
);
create index book_decisions_by_day on book_decisions (day, decided_at);
create trigger book_decisions_append_only before update or delete on book_decisions for each row execute function refuse_change();
create trigger book_decisions_never_emptied before truncate on book_decisions for each statement execute function refuse_change();

-- Balances of ledger accounts at the end of a closed day; accounts with a balance of zero are left out.
create table book_balances (
  decision_id text collate "C" not null,
  account_id text collate "C" not null,
  balance bigint not null,
  constraint book_balances_pkey primary key (decision_id, account_id),
  constraint book_balances_decision foreign key (decision_id) references book_decisions (id)
);
create trigger book_balances_append_only before update or delete on book_balances for each row execute function refuse_change();
create trigger book_balances_never_emptied before truncate on book_balances for each statement execute function refuse_change();

-- Differences between bank and ledger that were open at the end of a closed day. `subject` is empty for what two people accepted
-- without naming a line or an entry.
create table book_differences (
  decision_id text collate "C" not null,
  collecting_account_id text collate "C" not null,
  subject text collate "C" not null,
  merchant_id text collate "C" not null,
  kind text not null,
  amount bigint not null,
  constraint book_differences_pkey primary key (decision_id, collecting_account_id, subject),
  constraint book_differences_decision foreign key (decision_id) references book_decisions (id)
);
create trigger book_differences_append_only before update or delete on book_differences for each row execute function refuse_change();
create trigger book_differences_never_emptied before truncate on book_differences for each statement execute function refuse_change();

-- What merchants call their transactions, for exports.
create view transaction_numbers as
select d.merchant_id, d.id, 'deposit' as type, d.process_id from deposits d
union all
select w.merchant_id, w.id, 'withdraw', w.process_id from withdrawals w;

-- The last proof of yesterday's books, by account, for metrics and routing.
create table book_checks (
  collecting_account_id text collate "C" not null,
  day date not null,
  unexplained bigint not null,
  checked_at timestamptz not null,
  constraint book_checks_pkey primary key (collecting_account_id),
  constraint book_checks_account foreign key (collecting_account_id) references collecting_accounts (id)
);

-- Why no payout leaves from this account although its state allows it; null: nothing.
alter table collecting_accounts add column stopped_by text
  constraint collecting_accounts_known_stop check (stopped_by in ('books_differ'));
