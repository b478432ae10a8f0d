-- A credit may be the return of several payouts, or of one with a rest that stays in suspense: the journal entry writes its parts.
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
  from journal_entries j where j.id = new.journal_id and j.kind not in ('split', 'payout_debit', 'payout_return');
  return null;
end
$$;
