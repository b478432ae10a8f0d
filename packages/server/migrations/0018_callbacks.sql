-- Several endpoints a merchant, each with its own filter, pace and secrets.
alter table callback_endpoints
  add column description text not null default '',
  -- Which types are sent; empty is all of them.
  add column event_types text[] not null default '{}',
  add column state text not null default 'enabled',
  add column state_reason text,
  add column max_concurrent int not null default 10,
  add column max_per_second int not null default 100,
  add constraint callback_endpoints_known_state check (state in ('enabled', 'disabled', 'removed')),
  add constraint callback_endpoints_off_for_a_reason check ((state = 'enabled') = (state_reason is null)),
  add constraint callback_endpoints_some_pace check (max_concurrent > 0 and max_per_second > 0);

-- Two are live during a rotation: everything is signed with both until the old one ends.
create table callback_secrets (
  merchant_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  id text collate "C" not null,
  sealed text not null,
  created_at timestamptz not null,
  ends_at timestamptz,
  primary key (merchant_id, endpoint_id, id),
  foreign key (merchant_id, endpoint_id) references callback_endpoints (merchant_id, id)
);
insert into callback_secrets (merchant_id, endpoint_id, id, sealed, created_at)
select merchant_id, id, id, sealed_secret, created_at from callback_endpoints;
alter table callback_endpoints drop column sealed_secret;

-- Written in any order of commits, distributed in one order by one process at a time. `written` rises with the sequence of a
-- transaction; `position` rises with visibility, so that who reads on from a position misses nothing.
alter table events
  add column for_endpoint text collate "C",
  add column written bigint generated always as identity,
  add column position bigint;
create index events_to_distribute on events (written) where position is null;
create unique index events_in_order on events (merchant_id, position) where position is not null;
create table event_positions (last bigint not null);
insert into event_positions values (0);

-- What is known about the way to one endpoint. Whoever changes its deliveries holds this row. It changes with every list of
-- answers and there are few of them, so nothing that changes is in an index.
create table callback_lanes (
  merchant_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  -- When something may be due next; null when nothing waits, or when the endpoint is off.
  wake_at timestamptz,
  -- Failures in a row, and since when there was nothing else.
  failures int not null default 0,
  failing_since timestamptz,
  warned_at timestamptz,
  -- After too many failures: nothing before this moment, then one at a time.
  open_until timestamptz,
  -- Of max_per_second, what is left; refilled by the real clock. A new lane starts with all that its endpoint allows.
  tokens double precision not null default 1000000,
  tokens_at timestamptz not null,
  primary key (merchant_id, endpoint_id)
) with (fillfactor = 50);

-- One event on its way to one endpoint. behind: an earlier event of its transaction is not through yet.
create table deliveries (
  merchant_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  transaction_id text collate "C" not null,
  type text not null,
  position bigint not null,
  state text not null,
  -- Tries on the schedule that began at `since`; both start anew when it is sent again by hand.
  tries int not null default 0,
  since timestamptz not null,
  next_at timestamptz not null,
  -- A process is calling about it, or is about to. In no index: a claim is the cheapest of updates.
  claimed_until timestamptz,
  -- Every claim counts it up; only the holder of the newest one may record.
  fence int not null default 0,
  -- Another event of its transaction stands behind it.
  followed boolean not null default false,
  last_outcome text,
  last_status int,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (merchant_id, event_id, endpoint_id),
  constraint deliveries_known_state check (state in ('waiting', 'behind', 'delivered', 'given_up')),
  constraint deliveries_claimed_while_waiting check (claimed_until is null or state = 'waiting')
) with (fillfactor = 70);
create index deliveries_due on deliveries (merchant_id, endpoint_id, next_at, position) where state = 'waiting';
create index deliveries_open on deliveries (merchant_id, endpoint_id, transaction_id, position)
  where state in ('waiting', 'behind');
create index deliveries_given_up on deliveries (merchant_id, position) where state = 'given_up';

-- Every call that was made, for ever: what was answered, how long each part took.
create table delivery_attempts (
  merchant_id text collate "C" not null,
  event_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  -- The fence of the claim it was made under.
  number int not null,
  at timestamptz not null,
  connect_ms int not null,
  wait_ms int not null,
  read_ms int not null,
  outcome text not null,
  status int,
  problem text,
  answer text not null,
  primary key (merchant_id, event_id, endpoint_id, number),
  constraint delivery_attempts_known_outcome
    check (outcome in ('accepted', '4xx', '5xx', 'redirect', 'timeout', 'tls', 'dns', 'refused'))
);
