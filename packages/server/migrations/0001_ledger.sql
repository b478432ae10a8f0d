-- Double entry: every movement is one transfer from an account to another of the same currency, so the whole always
-- sums to zero. Balances stand on the account row; a drift query re-derives them from the transfers.

create table accounts (
  id text collate "C" primary key,
  -- The merchant, or twenty-four zeros for the house's own accounts.
  merchant_id text collate "C" not null,
  kind text not null,
  currency text not null,
  -- The collecting account that a bank_cash or suspense account stands for; empty for the others.
  subject text collate "C" not null default '',
  balance bigint not null default 0,
  constraint accounts_id_currency unique (id, currency),
  constraint accounts_one_of_a_kind unique (merchant_id, kind, currency, subject),
  constraint accounts_known_kind check (
    kind in ('merchant_available', 'merchant_held', 'fees', 'payouts_in_transit', 'bank_cash', 'suspense')
  ),
  -- Cash at a bank is the other side of everything we owe, so it alone runs below zero.
  constraint accounts_never_negative check (balance >= 0 or kind = 'bank_cash'),
  constraint accounts_exact_in_json check (balance between -9007199254740991 and 9007199254740991)
) with (fillfactor = 50);

create table transfers (
  merchant_id text collate "C" not null,
  -- What caused the movement: a deposit, a withdrawal or a bank line.
  subject_id text collate "C" not null,
  id text collate "C" not null,
  reason text not null,
  from_account text collate "C" not null,
  to_account text collate "C" not null,
  currency text not null,
  amount bigint not null,
  created_at timestamptz not null,
  primary key (merchant_id, subject_id, id),
  constraint transfers_positive check (amount > 0),
  constraint transfers_between_two check (from_account <> to_account),
  constraint transfers_from_account foreign key (from_account, currency) references accounts (id, currency),
  constraint transfers_to_account foreign key (to_account, currency) references accounts (id, currency)
);

-- Money set aside for a withdrawal, from its creation until it is paid out (posted) or given back (voided).
create table holds (
  merchant_id text collate "C" not null,
  subject_id text collate "C" not null,
  currency text not null,
  amount bigint not null,
  state text not null,
  created_at timestamptz not null,
  resolved_at timestamptz,
  primary key (merchant_id, subject_id),
  constraint holds_positive check (amount > 0),
  constraint holds_known_state check (state in ('pending', 'posted', 'voided')),
  constraint holds_resolved_once check ((state = 'pending') = (resolved_at is null))
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'table % is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;

create trigger transfers_append_only before update or delete on transfers
  for each row execute function refuse_change();
create trigger transfers_never_emptied before truncate on transfers
  for each statement execute function refuse_change();
