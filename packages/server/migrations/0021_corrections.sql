-- A line that repeats a known number of the same sender with other facts is a suspected correction: it names the first
-- line and waits for a person. `dismissed` is the end of a line that a person found to be no money of its own.
alter table bank_lines add column corrects_line_id text collate "C";
alter table bank_lines add constraint bank_lines_corrects foreign key (corrects_line_id) references bank_lines (id);
alter table bank_lines drop constraint bank_lines_known_state;
alter table bank_lines add constraint bank_lines_known_state
  check (state in ('new', 'matched', 'suspense', 'queue', 'dismissed'));
create index bank_lines_by_number on bank_lines (collecting_account_id, bank_reference) where bank_reference is not null;
