-- A refund is a withdrawal of a deposit's money. The deposit shows the sum of those that neither failed nor came back.
-- Not valid: existing rows, all with 0, are checked in 0055 without a lock.
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
