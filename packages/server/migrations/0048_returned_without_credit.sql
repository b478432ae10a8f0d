-- online: an index of a large table.
create index concurrently if not exists payouts_without_credit on payouts (updated_at)
  where state = 'returned' and credit_line_id is null;
