-- Business time up to which a source has been read to its end. A deposit expires only when its bank has been read past the deadline.
alter table statement_cursors add column read_at timestamptz;

-- How many deposits of a merchant may be pending at once: unpaid ones keep collecting accounts from others.
-- Merchants of a version before keep room for whatever they do today; new ones start with a thousand.
alter table merchants
  add column max_open_deposits int not null default 100000,
  add constraint merchants_some_open_deposits check (max_open_deposits > 0);
alter table merchants alter column max_open_deposits set default 1000;
