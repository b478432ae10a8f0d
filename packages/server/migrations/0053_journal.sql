-- Journal entries: what two people say about a bank line that is neither a deposit nor a payout nor its return, and corrections of these.

create table journal_entries (
  id text collate "C" not null,
  kind text not null,
  -- What was proposed: the terms, the lines and deposits as they were seen, and the exact bookings.
  details json not null,
  reason text not null,
  proposed_by text not null,
  proposed_at timestamptz not null,
  state text not null default 'proposed',
  decided_by text,
  decided_at timestamptz,
  -- Why it was rejected.
  note text,
  -- The entry that this one takes back.
  reverses text collate "C",
  reversed_at timestamptz,
  constraint journal_entries_pkey primary key (id),
  constraint journal_entries_known_kind check (kind in (
    'own_transfer', 'bank_charge', 'bank_tax', 'interest', 'fee_withdrawal', 'refund_unexplained', 'return_with_costs', 'storno',
    'opening_balance', 'unmatch', 'split', 'reassign', 'reversal'
  )),
  constraint journal_entries_known_state check (state in ('proposed', 'posted', 'rejected')),
  constraint journal_entries_reason check (char_length(reason) >= 5),
  constraint journal_entries_decided check ((state = 'proposed') = (decided_by is null) and (decided_by is null) = (decided_at is null)),
  constraint journal_entries_two_people check (state <> 'posted' or decided_by <> proposed_by),
  constraint journal_entries_rejected_for_a_reason check ((state = 'rejected') = (note is not null)),
  constraint journal_entries_reversal check ((kind = 'reversal') = (reverses is not null)),
  constraint journal_entries_proposed_by foreign key (proposed_by) references operators (name),
  constraint journal_entries_decided_by foreign key (decided_by) references operators (name),
  constraint journal_entries_reverses foreign key (reverses) references journal_entries (id)
);

create index journal_entries_open on journal_entries (id) where state = 'proposed';
create index journal_entries_refunds on journal_entries (id) where kind = 'refund_unexplained' and state = 'posted';
create unique index journal_entries_reversed_once on journal_entries (reverses) where state = 'posted';
create unique index journal_entries_one_opening on journal_entries ((details -> 'terms' ->> 'accountId'))
  where kind = 'opening_balance' and state = 'posted' and reversed_at is null;

-- The second person approves what the first has proposed, and a decision stands.
create trigger journal_entries_terms_fixed before update on journal_entries
for each row when (
  (old.id, old.kind, old.details::text, old.reason, old.proposed_by, old.proposed_at, old.reverses)
  is distinct from (new.id, new.kind, new.details::text, new.reason, new.proposed_by, new.proposed_at, new.reverses)
  or (old.state <> 'proposed' and (old.state, old.decided_by, old.decided_at, old.note)
    is distinct from (new.state, new.decided_by, new.decided_at, new.note))
  or (old.reversed_at is not null and old.reversed_at is distinct from new.reversed_at)
) execute function refuse_change_of_terms();
create trigger journal_entries_never_deleted before delete on journal_entries for each row execute function refuse_change();
create trigger journal_entries_never_emptied before truncate on journal_entries for each statement execute function refuse_change();

create table journal_lines (
  journal_id text collate "C" not null,
  line_id text collate "C" not null,
  constraint journal_lines_pkey primary key (journal_id, line_id),
  constraint journal_lines_journal foreign key (journal_id) references journal_entries (id),
  constraint journal_lines_line foreign key (line_id) references bank_lines (id)
);
create index journal_lines_by_line on journal_lines (line_id);
create trigger journal_lines_append_only before update or delete on journal_lines for each row execute function refuse_change();
create trigger journal_lines_never_emptied before truncate on journal_lines for each statement execute function refuse_change();

-- `booked_unexplained`: an unexplained debit whose money the ledger has taken from the cash of its account.
alter table bank_lines
  add column journal_id text collate "C",
  add column booked_unexplained boolean not null default false,
  add constraint bank_lines_journal foreign key (journal_id) references journal_entries (id) not valid,
  add constraint bank_lines_journal_matched check (journal_id is null or state = 'matched') not valid,
  add constraint bank_lines_booked_debit check (not booked_unexplained or direction = 'debit') not valid,
  drop constraint bank_lines_matched_to_one,
  add constraint bank_lines_matched_to_one
    check (state <> 'matched' or num_nonnulls(deposit_id, withdrawal_id, journal_id) = 1) not valid;

-- Who owns the allocation of a journal entry: no merchant. A split has an allocation for each deposit instead, which the service writes.
alter table line_allocations
  drop constraint line_allocations_known_kind,
  add constraint line_allocations_known_kind check (kind in ('deposit', 'payout', 'payout_return', 'journal')) not valid;

create or replace function allocate_line() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from line_allocations a
    where a.line_id = new.id and (a.subject in (old.deposit_id, old.withdrawal_id, old.journal_id) or old.journal_id is not null);
  end if;
  insert into line_allocations (line_id, kind, subject, merchant_id, amount, allocated_at)
  select new.id, 'deposit', new.deposit_id, new.merchant_id, new.amount, new.decided_at where new.deposit_id is not null
  union all
  select new.id, case new.direction when 'debit' then 'payout' else 'payout_return' end, p.withdrawal_id, p.merchant_id,
    new.amount, new.decided_at
  from payouts p where p.withdrawal_id = new.withdrawal_id
  union all
  select new.id, 'journal', j.id, repeat('0', 24), new.amount, new.decided_at
  from journal_entries j where j.id = new.journal_id and j.kind <> 'split';
  return null;
end
$$;

create or replace trigger bank_lines_allocate_updated after update on bank_lines
  for each row when (
    (old.deposit_id, old.withdrawal_id, old.journal_id) is distinct from (new.deposit_id, new.withdrawal_id, new.journal_id)
  ) execute function allocate_line();

-- How far below zero an account may be: only a journal entry lowers it, and money that comes raises it again.
alter table accounts
  add column lowest bigint not null default 0,
  add constraint accounts_lowest check (lowest <= 0),
  drop constraint accounts_known_kind,
  add constraint accounts_known_kind check (kind in (
    'merchant_available', 'merchant_held', 'fees', 'payouts_in_transit', 'bank_cash', 'suspense',
    'unexplained_debits', 'bank_charges', 'bank_taxes', 'interest', 'operator_funds'
  )),
  drop constraint accounts_never_negative,
  add constraint accounts_never_negative check (case
    when kind in ('bank_cash', 'interest') then true
    when kind in ('unexplained_debits', 'bank_charges', 'bank_taxes') then balance <= 0
    else balance >= lowest
  end);

alter table transfers
  drop constraint transfers_known_kind,
  add constraint transfers_known_kind check (kind in (
    'withdrawal_hold', 'withdrawal_release', 'withdrawal_submission', 'withdrawal_settlement', 'withdrawal_refusal',
    'withdrawal_return', 'deposit_settlement', 'deposit_reversal', 'suspense_receipt', 'suspense_clearing', 'suspense_reversal',
    'debit_receipt', 'debit_clearing', 'journal_own_transfer', 'journal_bank_charge', 'journal_bank_tax', 'journal_interest',
    'journal_fee_withdrawal', 'journal_refund', 'journal_refund_failure', 'journal_storno', 'journal_opening_balance',
    'journal_reversal', 'correction'
  )) not valid;

-- The house merchant: refunds of unexplained money are its withdrawals. It has no keys and is in no list.
insert into merchants (id, name, requests_per_second, created_at) values (repeat('0', 24), 'House', 1, '2026-01-01');
insert into merchant_fees (merchant_id, number, effective_from, deposit_bps, deposit_fixed, deposit_min, withdraw_bps, withdraw_fixed,
  withdraw_min, created_at)
values (repeat('0', 24), 1, '2026-01-01', 0, 0, 0, 0, 0, 0, '2026-01-01');
