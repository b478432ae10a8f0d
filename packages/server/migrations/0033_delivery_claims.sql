-- A claim is a row: a process may call about a delivery until `until`, and only the holder of the newest claim may record the result.
-- The version before keeps its claims in callback_lanes.claimed. While both run, neither sees the other's: an event may be sent twice.
create table delivery_claims (
  merchant_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  -- From callback_lanes.fence; also the number of the attempt.
  number int not null,
  until timestamptz not null,
  constraint delivery_claims_pkey primary key (merchant_id, endpoint_id, event_id)
);

-- The next event of a transaction is now always looked for. The version before looks only if `followed` is true, so it always is.
alter table deliveries alter column followed set default true;
update deliveries set followed = true where state in ('waiting', 'behind') and not followed;
