-- What the bank had at the last balance, and by how much the ledger differed then, explained or not.
alter table book_checks add column bank_balance bigint;
alter table book_checks add column difference bigint;
