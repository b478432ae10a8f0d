-- Rows of the other workers that fail alone: events to distribute, callbacks, refunds that came back, and settlements.
alter table set_aside
  drop constraint set_aside_known_what,
  add constraint set_aside_known_what check (
    what in ('withdrawal', 'payout', 'deposit', 'line', 'event', 'callback', 'refund', 'settlement')
  );
