-- online: the page of a deposit finds the lines that paid it once more. The decision about such a line suggests that deposit only.
create index concurrently if not exists match_decisions_of_second_payments on match_decisions
  ((suggestions -> 0 ->> 'depositId')) where why = 'duplicate';
