-- Business time up to which a source has been read to its end. A deposit expires only when its bank has been read past the deadline.
alter table statement_cursors add column read_at timestamptz;
