alter table withdrawals add column metadata json;
