-- online: an index of a large table.
-- Lines that no final statement contains days later: `vezne doctor` names them.
create index concurrently if not exists bank_lines_unconfirmed on bank_lines (booked_at, id)
  where confirmed_by is null and state <> 'dismissed';
