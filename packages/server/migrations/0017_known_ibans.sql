-- Only completed withdrawals make an IBAN known, so only they are in the index: creating one does not pay for it.
drop index withdrawals_by_iban;
create index withdrawals_to_known_ibans on withdrawals (merchant_id, iban) where status = 'completed';
