-- A payout may come back in several credits. Two people say which lines together are its return.
alter table journal_entries
  drop constraint journal_entries_known_kind,
  add constraint journal_entries_known_kind check (kind in (
    'own_transfer', 'bank_charge', 'bank_tax', 'interest', 'receivable', 'fee_withdrawal', 'refund_unexplained', 'return_with_costs',
    'payout_return', 'payout_debit', 'storno', 'opening_balance', 'unmatch', 'split', 'reassign', 'reversal'
  ));

-- Never more comes back than was sent. The payout is locked: of two processes that assign a return at once, the second sees what
-- the first has committed.
create function check_payout_returns() returns trigger language plpgsql as $$
declare
  ordered bigint;
  credits record;
begin
  select p.amount into ordered from payouts p where p.withdrawal_id = new.subject for no key update;
  select count(*) as lines, sum(a.amount) as total into credits
  from line_allocations a where a.subject = new.subject and a.kind = 'payout_return';
  if credits.lines > 1 and credits.total > coalesce(ordered, 0) then
    raise exception 'payout % of % has % returns of % together', new.subject, ordered, credits.lines, credits.total
      using errcode = 'check_violation', constraint = 'line_allocations_one_return', table = 'line_allocations';
  end if;
  return null;
end
$$;

drop index line_allocations_one_return;
create constraint trigger line_allocations_one_return after insert or update on line_allocations
  deferrable initially deferred for each row when (new.kind = 'payout_return') execute function check_payout_returns();
