create table merchants (
  id text collate "C" primary key,
  name text not null,
  demo boolean not null default false,
  deposit_fee_bps int not null default 0,
  deposit_fee_fixed bigint not null default 0,
  deposit_fee_min bigint not null default 0,
  deposit_fee_max bigint,
  withdraw_fee_bps int not null default 0,
  withdraw_fee_fixed bigint not null default 0,
  withdraw_fee_min bigint not null default 0,
  withdraw_fee_max bigint,
  requests_per_second int not null,
  return_origins text[] not null default '{}',
  created_at timestamptz not null,
  constraint merchants_fee_share check (deposit_fee_bps between 0 and 10000 and withdraw_fee_bps between 0 and 10000),
  constraint merchants_fee_amounts check (
    least(deposit_fee_fixed, deposit_fee_min, deposit_fee_max, withdraw_fee_fixed, withdraw_fee_min, withdraw_fee_max) >= 0
  ),
  constraint merchants_some_rate check (requests_per_second > 0)
);

create unique index merchants_one_demo on merchants (demo) where demo;

create table merchant_keys (
  api_key text collate "C" primary key,
  merchant_id text collate "C" not null references merchants (id),
  created_at timestamptz not null,
  revoked_at timestamptz
);

create index merchant_keys_by_merchant on merchant_keys (merchant_id);

-- Two secrets of one key are live during a rotation; the older one ends by itself.
create table merchant_secrets (
  api_key text collate "C" not null references merchant_keys (api_key),
  id text collate "C" not null,
  sealed text not null,
  created_at timestamptz not null,
  ends_at timestamptz,
  primary key (api_key, id)
);

create table merchant_networks (
  merchant_id text collate "C" not null references merchants (id),
  network text not null,
  created_at timestamptz not null,
  primary key (merchant_id, network)
);

create table callback_endpoints (
  merchant_id text collate "C" not null references merchants (id),
  id text collate "C" not null,
  -- Null until the merchant names an address; the secret exists from the first day.
  url text,
  sealed_secret text not null,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);
