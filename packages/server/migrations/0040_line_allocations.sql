-- What the money of a bank line was for. A line may have several: its allocations never sum to more than its amount.
create table line_allocations (
  line_id text collate "C" not null,
  kind text not null,
  -- The deposit, or the withdrawal that the payout is for.
  subject text collate "C" not null,
  merchant_id text collate "C" not null,
  amount bigint not null,
  allocated_at timestamptz not null,
  constraint line_allocations_pkey primary key (line_id, kind, subject),
  constraint line_allocations_line foreign key (line_id) references bank_lines (id),
  constraint line_allocations_known_kind check (kind in ('deposit', 'payout', 'payout_return')),
  constraint line_allocations_positive check (amount > 0)
);

create index line_allocations_by_subject on line_allocations (subject);
-- A payout leaves once and comes back once.
create unique index line_allocations_one_debit on line_allocations (subject) where kind = 'payout';
create unique index line_allocations_one_return on line_allocations (subject) where kind = 'payout_return';

-- The version before writes the columns of bank_lines only, and reads them. So this version writes them too, and the trigger makes
-- allocations of what either of them writes. The columns and the trigger go together, see decision 0035.
create or replace function allocate_line() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from line_allocations a
    where a.line_id = new.id and a.subject in (old.deposit_id, old.withdrawal_id);
  end if;
  insert into line_allocations (line_id, kind, subject, merchant_id, amount, allocated_at)
  select new.id, 'deposit', new.deposit_id, new.merchant_id, new.amount, new.decided_at where new.deposit_id is not null
  union all
  select new.id, case new.direction when 'debit' then 'payout' else 'payout_return' end, p.withdrawal_id, p.merchant_id,
    new.amount, new.decided_at
  from payouts p where p.withdrawal_id = new.withdrawal_id;
  return null;
end
$$;

create trigger bank_lines_allocate_inserted after insert on bank_lines
  for each row when (num_nonnulls(new.deposit_id, new.withdrawal_id) > 0) execute function allocate_line();
create trigger bank_lines_allocate_updated after update on bank_lines
  for each row when ((old.deposit_id, old.withdrawal_id) is distinct from (new.deposit_id, new.withdrawal_id))
  execute function allocate_line();

-- Lines that are held for a deposit may still change: they are carried over here, where writers wait. They are few.
insert into line_allocations (line_id, kind, subject, merchant_id, amount, allocated_at)
select l.id, 'deposit', l.deposit_id, l.merchant_id, l.amount, l.decided_at
from bank_lines l where l.state = 'suspense' and l.deposit_id is not null;
