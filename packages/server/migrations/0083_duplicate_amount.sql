-- online: money that came with the code of a completed deposit, so that its customer's page can name the sum.
alter table deposits add column if not exists duplicate_amount bigint not null default 0;
