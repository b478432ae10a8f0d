-- What a bank took back of a deposit, or after its refund, and its merchant was charged for: that much cannot be refunded any more.
-- Not valid: existing rows are checked in 0077 without a lock.
alter table deposits
  add column taken_back_amount bigint not null default 0,
  add constraint deposits_taken_back_within_received check (taken_back_amount >= 0 and taken_back_amount <= received_amount) not valid;

update deposits d set taken_back_amount = charged.amount
from (
  select j.details -> 'terms' ->> 'depositId' as id, sum((transfer ->> 'amount')::bigint) as amount
  from journal_entries j
  cross join lateral json_array_elements(j.details -> 'seen' -> 'entries') as entry
  cross join lateral json_array_elements(entry -> 'transfers') as transfer
  where j.kind = 'receivable' and j.state = 'posted' and j.reversed_at is null
    and j.details -> 'terms' ->> 'depositId' is not null and j.details -> 'terms' ->> 'settles' is not null
  group by 1
) as charged
where d.id = charged.id;
