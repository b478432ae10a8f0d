-- One row about what was handed to banks. Every claim counts `number` up. A process that has seen a higher one is on an older copy of the
-- database, and so may be one on another timeline, unless a synchronous standby had everything. `id` is the same in all copies.
create table sending (
  only_row boolean not null default true,
  id uuid not null default gen_random_uuid(),
  number bigint not null default 0,
  timeline text not null,
  synchronous boolean not null,
  at timestamptz not null,
  since timestamptz not null,
  constraint sending_pkey primary key (only_row),
  constraint sending_one_row check (only_row),
  constraint sending_counts_up check (number >= 0)
);
insert into sending (timeline, synchronous, at, since)
values (left(pg_walfile_name(pg_current_wal_lsn()), 8), false, clock_timestamp(), clock_timestamp());
