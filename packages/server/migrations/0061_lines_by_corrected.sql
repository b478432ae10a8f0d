-- online: index of a large table.
-- Lines that repeat or replace another one: whether an entered line was replaced, and corrections to erase.
create index concurrently if not exists bank_lines_by_corrected on bank_lines (corrects_line_id) where corrects_line_id is not null;
