-- When the newest line of a statement was read: closed days with later lines are found without reading the lines of all accounts.
alter table statements add column newest_line_at timestamptz not null default '-infinity';
update statements s set newest_line_at = l.at
from (select statement_id, max(created_at) as at from bank_lines where statement_id is not null group by statement_id) as l
where s.id = l.statement_id;
