-- Matched lines never change again, so they are carried over without a lock while both versions run; of those that become matched
-- meanwhile, the trigger `allocate_line` has made the allocations.
insert into line_allocations (line_id, kind, subject, merchant_id, amount, allocated_at)
select l.id, 'deposit', l.deposit_id, l.merchant_id, l.amount, l.decided_at
from bank_lines l where l.state = 'matched' and l.deposit_id is not null
on conflict do nothing;

-- If early versions gave two debits to one payout, the one that the payout names is its debit.
insert into line_allocations (line_id, kind, subject, merchant_id, amount, allocated_at)
select l.id, case l.direction when 'debit' then 'payout' else 'payout_return' end, p.withdrawal_id, p.merchant_id, l.amount, l.decided_at
from bank_lines l join payouts p on p.withdrawal_id = l.withdrawal_id
where l.state = 'matched'
order by p.debit_line_id is distinct from l.id, l.id
on conflict do nothing;
