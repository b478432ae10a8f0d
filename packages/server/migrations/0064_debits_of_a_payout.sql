-- A bank may debit a payout in several lines. Two people say which lines together are its debit.
alter table journal_entries
  drop constraint journal_entries_known_kind,
  add constraint journal_entries_known_kind check (kind in (
    'own_transfer', 'bank_charge', 'bank_tax', 'interest', 'receivable', 'fee_withdrawal', 'refund_unexplained', 'return_with_costs',
    'payout_debit', 'storno', 'opening_balance', 'unmatch', 'split', 'reassign', 'reversal'
  ));

-- A payout still leaves once: of several debits each is needed to make its amount, and together they make it. The payout is
-- locked: of two processes that assign a debit at once, the second sees what the first has committed.
create function check_payout_debits() returns trigger language plpgsql as $$
declare
  ordered bigint;
  debits record;
begin
  select p.amount into ordered from payouts p where p.withdrawal_id = new.subject for no key update;
  select count(*) as lines, sum(a.amount) as total, min(a.amount) as least into debits
  from line_allocations a where a.subject = new.subject and a.kind = 'payout';
  if debits.lines > 1 and (debits.total < coalesce(ordered, 0) or debits.total - debits.least >= coalesce(ordered, 0)) then
    raise exception 'payout % of % has % debits of % together', new.subject, ordered, debits.lines, debits.total
      using errcode = 'check_violation', constraint = 'line_allocations_one_debit', table = 'line_allocations';
  end if;
  return null;
end
$$;

drop index line_allocations_one_debit;
create constraint trigger line_allocations_one_debit after insert or update on line_allocations
  deferrable initially deferred for each row when (new.kind = 'payout') execute function check_payout_debits();
