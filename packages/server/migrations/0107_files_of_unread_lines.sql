-- The file that a person uploaded and that had the line. Null: a connection or an inbox gave it. In live, what two people
-- did not approve is not booked from such a file, also later.
alter table unread_lines add column uploaded_file_id text collate "C" constraint unread_lines_file references statement_files (id);
-- Lines of files name the file.
update unread_lines u set uploaded_file_id = f.id
from statement_files f
where u.taken_in_at is null and f.created_by not in ('inbox', 'matcher', 'restore') and f.connection = u.source
  and strpos(u.raw, '"file":' || to_json(f.name)::text || ',') > 0;
