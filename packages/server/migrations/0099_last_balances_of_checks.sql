-- The last day of which the bank gave a balance, and what two people accepted as the difference of it.
alter table book_checks add column balance_day date;
alter table book_checks add column accepted bigint not null default 0;
