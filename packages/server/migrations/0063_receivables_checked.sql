-- online: indexes, and checks of large tables.
create index concurrently if not exists journal_entries_receivables on journal_entries (id)
  where kind = 'receivable' and state = 'posted' and reversed_at is null;
-- What splits have left, and the entries that use it.
create index concurrently if not exists journal_entries_rests on journal_entries (id)
  where kind = 'split' and state = 'posted' and reversed_at is null and details -> 'terms' ->> 'rest' is not null;
create index concurrently if not exists journal_entries_uses_of_rests on journal_entries ((details -> 'terms' ->> 'restOf'))
  where state = 'posted' and details -> 'terms' ->> 'restOf' is not null;
alter table journal_entries validate constraint journal_entries_known_kind;
alter table accounts validate constraint accounts_known_kind;
alter table accounts validate constraint accounts_never_negative;
alter table transfers validate constraint transfers_known_kind;
