-- The new lines of a file that two people saw, as hashes; no other line of it is booked. `stopped_why`: the line at which the import stopped.
alter table statement_files
  add column approved_lines bytea,
  add column approved_sha256 text,
  add column stopped_why text;
