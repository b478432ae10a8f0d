create table banks (
  -- 24 hex characters, or the literal FAST.
  id text collate "C" primary key,
  code text collate "C" not null,
  name text not null,
  official_name text not null,
  kind text not null,
  bic text,
  -- Offered for deposits. A bank that is not still lends its name to the IBANs of its customers.
  enabled boolean not null,
  constraint banks_code unique (code)
);

create table bank_limits (
  bank_id text collate "C" not null references banks (id),
  currency text not null,
  min_amount bigint not null,
  max_amount bigint not null,
  primary key (bank_id, currency),
  constraint bank_limits_range check (0 < min_amount and min_amount <= max_amount and max_amount <= 9007199254740991)
);

-- A merchant sees every enabled bank, except those switched off for it here.
create table merchant_banks_off (
  merchant_id text collate "C" not null,
  bank_id text collate "C" not null references banks (id),
  primary key (merchant_id, bank_id)
);

create table collecting_accounts (
  id text collate "C" primary key,
  bank_id text collate "C" not null references banks (id),
  title text not null,
  iban text not null,
  currency text not null,
  state text not null,
  created_at timestamptz not null,
  constraint collecting_accounts_iban unique (iban),
  constraint collecting_accounts_known_state check (state in ('active', 'paused', 'draining', 'blocked'))
);
