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
