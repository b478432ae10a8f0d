-- The credit that shows a returned payout, as debit_line_id shows its debit: doctor looks only at those without one.
alter table payouts add column credit_line_id text collate "C";

update payouts p set credit_line_id = l.id
from bank_lines l
where p.state = 'returned' and l.withdrawal_id = p.withdrawal_id and l.direction = 'credit' and l.state = 'matched';
