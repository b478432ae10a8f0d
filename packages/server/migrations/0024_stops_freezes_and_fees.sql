-- Withdrawals that a person stopped before they were sent. Not an approval: whoever approved one may stop it later.
create table withdrawal_stops (
  merchant_id text collate "C" not null,
  withdrawal_id text collate "C" not null,
  operator text not null constraint withdrawal_stops_operator references operators (name),
  reason text not null,
  stopped_at timestamptz not null,
  constraint withdrawal_stops_pkey primary key (merchant_id, withdrawal_id)
);

create trigger withdrawal_stops_append_only before update or delete on withdrawal_stops
  for each row execute function refuse_change();
create trigger withdrawal_stops_never_emptied before truncate on withdrawal_stops
  for each statement execute function refuse_change();

-- A frozen merchant creates nothing and its payouts wait. The column is the state, the table says who, when and why.
alter table merchants add column frozen boolean not null default false;

create table merchant_freezes (
  merchant_id text collate "C" not null constraint merchant_freezes_merchant references merchants (id),
  number int not null,
  frozen boolean not null,
  decided_by text not null,
  reason text not null,
  decided_at timestamptz not null,
  constraint merchant_freezes_pkey primary key (merchant_id, number),
  constraint merchant_freezes_in_turn check (frozen = (number % 2 = 1))
);

create trigger merchant_freezes_append_only before update or delete on merchant_freezes
  for each row execute function refuse_change();
create trigger merchant_freezes_never_emptied before truncate on merchant_freezes
  for each statement execute function refuse_change();

-- What a merchant pays, by the moment from which it holds. A transaction pays by the terms in force when it was created.
create table merchant_fees (
  merchant_id text collate "C" not null constraint merchant_fees_merchant references merchants (id),
  -- Of two for the same moment the higher number holds.
  number int not null,
  effective_from timestamptz not null,
  deposit_bps int not null,
  deposit_fixed bigint not null,
  deposit_min bigint not null,
  deposit_max bigint,
  withdraw_bps int not null,
  withdraw_fixed bigint not null,
  withdraw_min bigint not null,
  withdraw_max bigint,
  -- Null: the terms that the merchant was created with.
  set_by text,
  created_at timestamptz not null,
  constraint merchant_fees_pkey primary key (merchant_id, number),
  constraint merchant_fees_share check (deposit_bps between 0 and 10000 and withdraw_bps between 0 and 10000),
  constraint merchant_fees_amounts check (
    least(deposit_fixed, deposit_min, deposit_max, withdraw_fixed, withdraw_min, withdraw_max) >= 0
  )
);

insert into merchant_fees
select id, 1, created_at, deposit_fee_bps, deposit_fee_fixed, deposit_fee_min, deposit_fee_max,
  withdraw_fee_bps, withdraw_fee_fixed, withdraw_fee_min, withdraw_fee_max, null, created_at
from merchants;

alter table merchants
  drop column deposit_fee_bps,
  drop column deposit_fee_fixed,
  drop column deposit_fee_min,
  drop column deposit_fee_max,
  drop column withdraw_fee_bps,
  drop column withdraw_fee_fixed,
  drop column withdraw_fee_min,
  drop column withdraw_fee_max;

create trigger merchant_fees_append_only before update or delete on merchant_fees
  for each row execute function refuse_change();
create trigger merchant_fees_never_emptied before truncate on merchant_fees
  for each statement execute function refuse_change();
