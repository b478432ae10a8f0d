-- What a merchant sees of its calls in its console. Bounded: days and rows for each merchant (prune-api-calls).
create table api_calls (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  at timestamptz not null,
  method text not null,
  -- Values of the query are replaced.
  path text not null,
  status integer not null,
  -- Error code of the contract.
  code text,
  -- Our words about the signature, or names of fields; nothing of the body.
  problem text,
  duration_ms integer not null,
  address text,
  request_id text not null,
  constraint api_calls_pkey primary key (merchant_id, id)
);

-- Addresses that signed correctly and are not on the merchant's list.
create table rejected_addresses (
  merchant_id text collate "C" not null,
  address text not null,
  times bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  constraint rejected_addresses_pkey primary key (merchant_id, address),
  constraint rejected_addresses_merchant foreign key (merchant_id) references merchants (id)
);

-- Written at most once a minute; null: not used since this is recorded.
alter table merchant_secrets add column last_used_at timestamptz;
