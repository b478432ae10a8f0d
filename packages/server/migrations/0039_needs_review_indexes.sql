-- online: indexes of a large table.
-- Lines that need review, by either word. Conditions of the version before (state = 'queue') are served by them as well.
alter table bank_lines validate constraint bank_lines_known_state;

create index concurrently if not exists bank_lines_to_review on bank_lines (direction, booked_at)
  where state in ('queue', 'needs_review');
drop index concurrently if exists bank_lines_in_queue;

-- `line list --state needs_review`: bank_lines_by_state has the pages of one word only.
create index concurrently if not exists bank_lines_review_pages on bank_lines (id) where state in ('queue', 'needs_review');

create index concurrently if not exists bank_lines_open_naming on bank_lines using gin (ids_in(narrative)) with (fastupdate = off)
  where state in ('new', 'queue', 'needs_review', 'suspense') and ids_in(narrative) <> '{}';
drop index concurrently if exists bank_lines_naming;
