alter table bank_lines
  -- The payout that the text names. Text only finds it; withdrawal_id says that the line is its.
  add column candidate_withdrawal_id text collate "C";

create index bank_lines_by_candidate on bank_lines (candidate_withdrawal_id) where candidate_withdrawal_id is not null;
create index bank_lines_debits on bank_lines (collecting_account_id) where direction = 'debit';
create index bank_lines_in_queue on bank_lines (direction, booked_at) where state = 'queue';

alter table payouts
  -- The line of the statement that shows that the money left.
  add column debit_line_id text collate "C";

create index payouts_without_debit on payouts (updated_at)
  where state in ('accepted', 'returned') and debit_line_id is null;

update payouts p set debit_line_id = l.id from bank_lines l
  where l.withdrawal_id = p.withdrawal_id and l.direction = 'debit' and l.state = 'matched';

-- Lines of payouts in the queue were never booked: they are judged again, by the new rules.
update bank_lines set state = 'new', reason = null, decided_at = null where state = 'queue' and for_payouts;
