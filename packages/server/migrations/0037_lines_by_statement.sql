-- online: an index of a large table.
-- Lines of a statement, and lines that have none yet.
create index concurrently if not exists bank_lines_by_statement on bank_lines (statement_id);
