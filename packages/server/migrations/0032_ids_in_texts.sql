-- online: indexes of large tables.
-- Every run of 24 hex characters in a text, also one that spaces, dashes or line breaks cut: each may be the id of a withdrawal.
-- No bank writes texts of more than 20,000 characters; the limit bounds the work for one that does.
-- The cost is what it takes: with the default of 100 the planner computed it for every row of a small table instead of using its index.
create or replace function ids_in(written text) returns text[] language sql immutable strict parallel safe cost 10000 as $$
  select coalesce(array_agg(distinct substr(run[1], i, 24)), '{}')
  from regexp_matches(
      regexp_replace(translate(left(written, 20000), 'ABCDEF', 'abcdef'), '[^0-9A-Za-z]', '', 'g'), '[0-9a-f]{24,}', 'g'
    ) as run,
    generate_series(1, length(run[1]) - 23) as i
$$;

create index concurrently if not exists bank_lines_naming on bank_lines using gin (ids_in(narrative)) with (fastupdate = off)
  where state in ('new', 'queue', 'suspense') and ids_in(narrative) <> '{}';

-- In JSON a line break is written as two characters.
create index concurrently if not exists unread_lines_naming on unread_lines
  using gin (ids_in(regexp_replace(raw, '\\(u[0-9a-fA-F]{4}|.)', '', 'g'))) with (fastupdate = off)
  where taken_in_at is null and ids_in(regexp_replace(raw, '\\(u[0-9a-fA-F]{4}|.)', '', 'g')) <> '{}';

-- Lines that wait for a person: without those that there is nothing to do about.
create index concurrently if not exists unread_lines_waiting on unread_lines (created_at)
  where taken_in_at is null and why not in ('the other side of a payout of ours', 'the amount is zero');

-- Lines that are tried again when an account is opened.
create index concurrently if not exists unread_lines_to_retry on unread_lines (source, raw_hash)
  where taken_in_at is null;

-- The same line under another address of the bank is the same line.
create index concurrently if not exists unread_lines_by_hash on unread_lines (raw_hash);

-- A person says that an unread line needs no more attention, and why. The line stays.
create table if not exists closed_unread_lines (
  source text not null,
  raw_hash text collate "C" not null,
  operator text not null,
  reason text not null,
  closed_at timestamptz not null,
  constraint closed_unread_lines_pkey primary key (source, raw_hash),
  constraint closed_unread_lines_line foreign key (source, raw_hash) references unread_lines (source, raw_hash),
  constraint closed_unread_lines_reason check (char_length(reason) >= 5)
);

create or replace trigger closed_unread_lines_append_only before update or delete on closed_unread_lines
  for each row execute function refuse_change();
create or replace trigger closed_unread_lines_never_emptied before truncate on closed_unread_lines
  for each statement execute function refuse_change();
