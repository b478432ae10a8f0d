-- What confirms a line: 'source' if what brought it is final (a feed of the bank, a statement of whole days), else the statement
-- file that contains it, null if none does yet: of a report during the day, or entered by a person. No money leaves against such a line.
alter table bank_lines add column confirmed_by text collate "C" default 'source';
update bank_lines l set confirmed_by = null
from entered_lines e where e.line_id = l.id and e.state = 'booked';
update bank_lines l set confirmed_by = null
from statement_files f
where f.id = l.statement_file_id and f.format in ('camt.052', 'camt.054', 'mt942');
update bank_lines l set confirmed_by = c.file_id
from (
  select l.id, max(i.file_id collate "C") as file_id
  from bank_lines l
  join statement_files f on f.id = l.statement_file_id and f.format in ('camt.052', 'camt.054', 'mt942')
  join imported_statements i on i.collecting_account_id = l.collecting_account_id and i.format in ('camt.053', 'mt940')
    and (l.booked_at at time zone 'Europe/Istanbul')::date between i.from_day and i.to_day
  join statement_files final on final.id = i.file_id and final.state = 'imported'
  where not exists (
    select from json_array_elements(final.checks) as found
    where found -> 'missing' is not null and (found -> 'missing')::jsonb ? l.id
  )
  group by l.id
) as c where c.id = l.id;
