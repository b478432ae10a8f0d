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
