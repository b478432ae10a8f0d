-- online: the list of days looks for statements that got lines after the last close.
create index concurrently if not exists statements_by_newest_line on statements (newest_line_at);
