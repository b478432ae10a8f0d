-- online: indexes and checks of large tables.
create index concurrently if not exists bank_lines_debits_to_book on bank_lines (id)
  where direction = 'debit' and booked_unexplained <> (state in ('queue', 'needs_review'));
create index concurrently if not exists bank_lines_by_journal on bank_lines (journal_id) where journal_id is not null;
create index concurrently if not exists bank_lines_in_suspense on bank_lines (booked_at) where state = 'suspense';
-- Candidates for a line: payouts of its amount.
create index concurrently if not exists payouts_by_amount on payouts (amount, created_at);
alter table bank_lines validate constraint bank_lines_journal;
alter table bank_lines validate constraint bank_lines_journal_matched;
alter table bank_lines validate constraint bank_lines_booked_debit;
alter table bank_lines validate constraint bank_lines_matched_to_one;
alter table line_allocations validate constraint line_allocations_known_kind;
alter table transfers validate constraint transfers_known_kind;
