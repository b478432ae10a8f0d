-- A proposal to close or reopen a day is taken back by who made it, or rejected by another person.
alter table book_decisions drop constraint book_decisions_known_action;
alter table book_decisions add constraint book_decisions_known_action check (action in ('close', 'reopen', 'withdraw', 'reject'));
alter table book_decisions drop constraint book_decisions_why_reopened;
alter table book_decisions add constraint book_decisions_why_reopened check (action = 'close' or char_length(reason) >= 5);
alter table book_decisions add constraint book_decisions_end_a_proposal check (action not in ('withdraw', 'reject') or completes is not null);
