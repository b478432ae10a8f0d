-- Money that left by a fault of the bank: the bank, or who has it, owes it to us.
alter table journal_entries
  drop constraint journal_entries_known_kind,
  add constraint journal_entries_known_kind check (kind in (
    'own_transfer', 'bank_charge', 'bank_tax', 'interest', 'receivable', 'fee_withdrawal', 'refund_unexplained', 'return_with_costs',
    'storno', 'opening_balance', 'unmatch', 'split', 'reassign', 'reversal'
  )) not valid;

alter table accounts
  drop constraint accounts_known_kind,
  add constraint accounts_known_kind check (kind in (
    'merchant_available', 'merchant_held', 'fees', 'payouts_in_transit', 'bank_cash', 'suspense',
    'unexplained_debits', 'bank_charges', 'bank_taxes', 'interest', 'receivables', 'operator_funds'
  )) not valid,
  drop constraint accounts_never_negative,
  add constraint accounts_never_negative check (case
    when kind in ('bank_cash', 'interest') then true
    when kind in ('unexplained_debits', 'bank_charges', 'bank_taxes', 'receivables') then balance <= 0
    else balance >= lowest
  end) not valid;

alter table transfers
  drop constraint transfers_known_kind,
  add constraint transfers_known_kind check (kind in (
    'withdrawal_hold', 'withdrawal_release', 'withdrawal_submission', 'withdrawal_settlement', 'withdrawal_refusal',
    'withdrawal_return', 'deposit_settlement', 'deposit_reversal', 'suspense_receipt', 'suspense_clearing', 'suspense_reversal',
    'debit_receipt', 'debit_clearing', 'journal_own_transfer', 'journal_bank_charge', 'journal_bank_tax', 'journal_interest',
    'journal_receivable', 'journal_fee_withdrawal', 'journal_refund', 'journal_refund_failure', 'journal_storno',
    'journal_opening_balance', 'journal_reversal', 'correction'
  )) not valid;
