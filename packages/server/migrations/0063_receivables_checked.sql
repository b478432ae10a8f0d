-- online: an index, and checks of large tables.
create index concurrently if not exists journal_entries_receivables on journal_entries (id)
  where kind = 'receivable' and state = 'posted' and reversed_at is null;
alter table journal_entries validate constraint journal_entries_known_kind;
alter table accounts validate constraint accounts_known_kind;
alter table accounts validate constraint accounts_never_negative;
alter table transfers validate constraint transfers_known_kind;
