-- online: an index of a large table.
-- Of each mark there is one entry: a copy of an entry is not stored. Marks without a number of their own are from before.
create unique index concurrently if not exists audit_entries_mark_once on audit_entries (mark) where mark like '%.%';
