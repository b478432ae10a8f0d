-- Code of the institution that may produce TR Karekod for this account; null: no such QR code is shown.
alter table collecting_accounts add column karekod_producer text
  constraint collecting_accounts_karekod_producer check (karekod_producer ~ '^[0-9]{4}$');
