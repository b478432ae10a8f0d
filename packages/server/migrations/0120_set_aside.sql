-- Rows that a worker could not process alone, with the error. The worker leaves them out until `retry_at`, so that its other rows go on.
create table set_aside (
  what text not null,
  id text collate "C" not null,
  error text not null,
  failures int not null,
  since timestamptz not null,
  retry_at timestamptz not null,
  constraint set_aside_pkey primary key (what, id),
  constraint set_aside_known_what check (what in ('withdrawal', 'payout', 'deposit', 'line'))
);
