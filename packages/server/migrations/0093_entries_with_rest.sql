-- online: index of a table that is written.
-- Not only a split leaves a rest.
create index concurrently if not exists journal_entries_with_rest on journal_entries (id)
  where state = 'posted' and reversed_at is null and details -> 'terms' ->> 'rest' is not null;
drop index concurrently if exists journal_entries_rests;
