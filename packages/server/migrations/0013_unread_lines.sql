-- Lines that a source gave and that could not be taken in: unreadable, without the bank's number, or of an account that
-- is not ours. Kept as they came, so that a person sees them and nothing is lost when the source moves on.
create table unread_lines (
  source text not null,
  raw_hash text collate "C" not null,
  raw text not null,
  why text not null,
  created_at timestamptz not null,
  taken_in_at timestamptz,
  primary key (source, raw_hash)
);
