-- For someone who can write rows but lacks the master key and cannot change the schema. `update of` costs the other updates nothing.
create function refuse_change_of_terms() returns trigger language plpgsql as $$
begin
  raise exception 'terms of % are fixed: %', tg_table_name, tg_name using errcode = 'restrict_violation';
end
$$;

create trigger deposits_terms_fixed
before update of merchant_id, id, process_id, amount, currency, reference_code, created_at on deposits
for each row when (
  (old.merchant_id, old.id, old.process_id, old.amount, old.currency, old.reference_code, old.created_at)
  is distinct from (new.merchant_id, new.id, new.process_id, new.amount, new.currency, new.reference_code, new.created_at)
) execute function refuse_change_of_terms();

-- Customers are told to pay to these. No command changes them: a new IBAN is a new account.
create trigger collecting_accounts_terms_fixed before update of id, bank_id, title, iban, currency on collecting_accounts
for each row when (
  (old.id, old.bank_id, old.title, old.iban, old.currency) is distinct from (new.id, new.bank_id, new.title, new.iban, new.currency)
) execute function refuse_change_of_terms();

create trigger accounts_terms_fixed before update of id, merchant_id, kind, currency, subject on accounts
for each row when (
  (old.id, old.merchant_id, old.kind, old.currency, old.subject)
  is distinct from (new.id, new.merchant_id, new.kind, new.currency, new.subject)
) execute function refuse_change_of_terms();

-- The money of a withdrawal is not given back before sending if there is a payout: the bank may have it.
create function refuse_end_with_payout() returns trigger language plpgsql as $$
begin
  if exists (select from payouts p where p.merchant_id = new.merchant_id and p.withdrawal_id = new.id) then
    raise exception 'withdrawal % has a payout', new.id
      using errcode = 'check_violation', constraint = 'withdrawals_end_without_payout', table = 'withdrawals';
  end if;
  return new;
end
$$;
create trigger withdrawals_end_without_payout before update of status on withdrawals
for each row when (old.status = 'pending' and new.status = 'failed') execute function refuse_end_with_payout();

-- Who changed which setting of a merchant, from what to what. Also rules that one person proposed and a second must confirm.
create table merchant_changes (
  merchant_id text collate "C" not null,
  number int not null,
  what text not null,
  changed_by text not null,
  value_before json,
  value_after json,
  changed_at timestamptz not null,
  constraint merchant_changes_pkey primary key (merchant_id, number),
  constraint merchant_changes_merchant foreign key (merchant_id) references merchants (id)
);
create trigger merchant_changes_append_only before update or delete on merchant_changes for each row execute function refuse_change();
create trigger merchant_changes_never_emptied before truncate on merchant_changes for each statement execute function refuse_change();

-- In live two people erase a payout within its retention: it is the evidence of what one person may have done.
create table erasure_requests (
  merchant_id text collate "C" not null,
  transaction_id text collate "C" not null,
  number int not null,
  operator text not null,
  requested_at timestamptz not null,
  constraint erasure_requests_pkey primary key (merchant_id, transaction_id, number)
);
create trigger erasure_requests_append_only before update or delete on erasure_requests for each row execute function refuse_change();
create trigger erasure_requests_never_emptied before truncate on erasure_requests for each statement execute function refuse_change();
