-- Whether the last check of an account compared it with a balance of the bank. Null: checked by a version that did not store it.
alter table book_checks add column proof text;
alter table book_checks add constraint book_checks_known_proof check (proof in ('balance', 'no_balance', 'not_proven', 'unused'));
