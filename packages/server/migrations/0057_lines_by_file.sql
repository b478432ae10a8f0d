-- online: indexes of a large table.
-- Lines of a file, to show and to undo it.
create index concurrently if not exists bank_lines_by_file on bank_lines (statement_file_id, id) where statement_file_id is not null;
-- The same booking in a file of another format: by the number of its batch, and by its amount.
create index concurrently if not exists bank_lines_by_batch on bank_lines (collecting_account_id, batch_reference)
  where batch_reference is not null;
create index concurrently if not exists bank_lines_of_files_by_amount on bank_lines (statement_file_id, amount, bank_reference)
  where statement_file_id is not null;
