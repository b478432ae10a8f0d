-- online: an index of a large table.
-- Money of merchants that no final statement has shown: the router reads it for each batch.
create index concurrently if not exists bank_lines_unconfirmed_money on bank_lines (merchant_id, id)
  where confirmed_by is null and direction = 'credit' and state = 'matched';
