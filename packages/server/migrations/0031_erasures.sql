-- Who erased the personal data of which transaction, and why. One row per run that changed something; no personal data.
create table erasures (
  merchant_id text collate "C" not null,
  transaction_id text collate "C" not null,
  number int not null,
  kind text not null,
  asked_for text not null,
  operator text not null,
  reason text not null,
  despite_retention boolean not null,
  erased_at timestamptz not null,
  constraint erasures_pkey primary key (merchant_id, transaction_id, number),
  constraint erasures_known_kind check (kind in ('deposit', 'withdrawal')),
  constraint erasures_asked_for check (asked_for in ('customer', 'transaction')),
  constraint erasures_reason check (char_length(reason) >= 5)
);

-- How many rows of each table it changed.
create table erased_rows (
  merchant_id text collate "C" not null,
  transaction_id text collate "C" not null,
  number int not null,
  table_name text not null,
  count int not null,
  constraint erased_rows_pkey primary key (merchant_id, transaction_id, number, table_name),
  constraint erased_rows_erasure foreign key (merchant_id, transaction_id, number)
    references erasures (merchant_id, transaction_id, number),
  constraint erased_rows_some check (count > 0)
);

create trigger erasures_append_only before update or delete on erasures
  for each row execute function refuse_change();
create trigger erasures_never_emptied before truncate on erasures
  for each statement execute function refuse_change();
create trigger erased_rows_append_only before update or delete on erased_rows
  for each row execute function refuse_change();
create trigger erased_rows_never_emptied before truncate on erased_rows
  for each statement execute function refuse_change();

-- Refuses every change but one: columns with personal data (second argument) become the marker, nothing else changes, and a row of
-- `erasures` names the transaction (its id is in the column of the first argument). The markers are those of src/platform/erased.ts.
create function refuse_all_but_erasing() returns trigger language plpgsql as $$
declare
  personal constant text[] := string_to_array(tg_argv[1], ' ');
  markers constant jsonb[] := array['"[erased]"', '"TR470000000000000000000000"', '{"erased": true}'];
  before constant jsonb := to_jsonb(old);
  after constant jsonb := to_jsonb(new);
begin
  if tg_op = 'UPDATE'
    and before - personal = after - personal
    and not exists (
      select from unnest(personal) as one (name)
      where before -> one.name <> after -> one.name and (after -> one.name) <> all (markers)
    )
    and exists (
      select from erasures e
      where e.merchant_id = before ->> 'merchant_id' and e.transaction_id = before ->> tg_argv[0]
    )
  then
    return new;
  end if;
  raise exception 'table % is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;

create or replace trigger withdrawals_terms_fixed before update on withdrawals
  for each row when (
    (old.merchant_id, old.id, old.process_id, old.amount, old.fee, old.currency, old.iban, old.account_name)
    is distinct from (new.merchant_id, new.id, new.process_id, new.amount, new.fee, new.currency, new.iban, new.account_name)
  ) execute function refuse_all_but_erasing('id', 'iban account_name user_id user_name name metadata');

create or replace trigger payouts_terms_fixed before update on payouts
  for each row when (
    (old.merchant_id, old.withdrawal_id, old.source_account_id, old.connection, old.amount, old.currency, old.iban, old.account_name)
    is distinct from
    (new.merchant_id, new.withdrawal_id, new.source_account_id, new.connection, new.amount, new.currency, new.iban, new.account_name)
  ) execute function refuse_all_but_erasing('withdrawal_id', 'iban account_name');

-- What people and banks wrote about a withdrawal.
create or replace trigger payout_calls_append_only before update or delete on payout_calls
  for each row execute function refuse_all_but_erasing('withdrawal_id', 'detail');
create or replace trigger doubt_decisions_append_only before update or delete on doubt_decisions
  for each row execute function refuse_all_but_erasing('withdrawal_id', 'evidence');
create or replace trigger withdrawal_approvals_append_only before update or delete on withdrawal_approvals
  for each row execute function refuse_all_but_erasing('withdrawal_id', 'note');
create or replace trigger withdrawal_stops_append_only before update or delete on withdrawal_stops
  for each row execute function refuse_all_but_erasing('withdrawal_id', 'reason');

-- An event whose body was changed may not be sent again: receivers know its id with other bytes.
alter table events add column erased_at timestamptz;
