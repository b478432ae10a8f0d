-- A refund is a withdrawal of a deposit's money. The deposit shows the sum of those that neither failed nor came back.
-- Not valid: existing rows, all with 0, are checked in 0052 without a lock.
alter table deposits
  add column refunded_amount bigint not null default 0,
  add constraint deposits_refunded_within_received check (refunded_amount >= 0 and refunded_amount <= received_amount) not valid;

-- `approval_required`: two people approve it whatever the merchant's rules say, because the bank gave no recipient.
alter table withdrawals
  add column refund_of text collate "C",
  add column refund_reason text,
  add column settlement boolean not null default false,
  add column approval_required boolean not null default false,
  add constraint withdrawals_one_purpose check (refund_of is null or not settlement) not valid;

create or replace trigger withdrawals_terms_fixed before update on withdrawals
  for each row when (
    (old.merchant_id, old.id, old.process_id, old.amount, old.fee, old.currency, old.iban, old.account_name,
      old.refund_of, old.refund_reason, old.settlement, old.approval_required)
    is distinct from (new.merchant_id, new.id, new.process_id, new.amount, new.fee, new.currency, new.iban, new.account_name,
      new.refund_of, new.refund_reason, new.settlement, new.approval_required)
  ) execute function refuse_all_but_erasing('id', 'iban account_name user_id user_name name metadata refund_reason');

-- Whether refunds cost the fee of a withdrawal.
alter table merchants add column refunds_charged boolean not null default false;

-- The merchant's own account. The newest is in force. Proposals are in merchant_changes.
create table settlement_accounts (
  merchant_id text collate "C" not null,
  number int not null,
  iban text not null,
  title text not null,
  proposed_by text not null,
  confirmed_by text not null,
  confirmed_at timestamptz not null,
  constraint settlement_accounts_pkey primary key (merchant_id, number),
  constraint settlement_accounts_merchant foreign key (merchant_id) references merchants (id),
  constraint settlement_accounts_proposer foreign key (proposed_by) references operators (name),
  constraint settlement_accounts_confirmer foreign key (confirmed_by) references operators (name),
  constraint settlement_accounts_two_people check (proposed_by <> confirmed_by)
);
create trigger settlement_accounts_append_only before update or delete on settlement_accounts for each row execute function refuse_change();
create trigger settlement_accounts_never_emptied before truncate on settlement_accounts for each statement execute function refuse_change();

-- When the balance is sent to that account. Minutes and weekdays (1 is Monday) are those of Istanbul.
create table settlement_schedules (
  merchant_id text collate "C" not null,
  every text not null,
  weekday int,
  minute int not null,
  minimum bigint not null,
  set_at timestamptz not null,
  constraint settlement_schedules_pkey primary key (merchant_id),
  constraint settlement_schedules_merchant foreign key (merchant_id) references merchants (id),
  constraint settlement_schedules_known check (every in ('off', 'day', 'week')),
  constraint settlement_schedules_weekday check ((every = 'week') = (weekday is not null) and weekday between 1 and 7),
  constraint settlement_schedules_minute check (minute between 0 and 1439),
  constraint settlement_schedules_minimum check (minimum > 0)
);

-- Each settlement, also a scheduled one that sent nothing because the balance was below the minimum.
create table settlements (
  merchant_id text collate "C" not null,
  day date not null,
  number int not null,
  requested_by text,
  amount bigint not null,
  withdrawal_id text collate "C",
  created_at timestamptz not null,
  constraint settlements_pkey primary key (merchant_id, day, number),
  constraint settlements_merchant foreign key (merchant_id) references merchants (id),
  constraint settlements_sent check ((withdrawal_id is null and amount = 0 and requested_by is null) or (withdrawal_id is not null and amount > 0))
);
create unique index settlements_one_scheduled on settlements (merchant_id, day) where requested_by is null;
create trigger settlements_append_only before update or delete on settlements for each row execute function refuse_change();
create trigger settlements_never_emptied before truncate on settlements for each statement execute function refuse_change();
