-- What workers last did, for people who look: the service does not depend on it.
create table worker_runs (
  worker text collate "C" not null,
  every_ms integer not null,
  -- By the clock of the machine. Of several processes the last one to succeed.
  succeeded_at timestamptz not null,
  host text not null,
  constraint worker_runs_pkey primary key (worker)
);

-- The last verification of the audit's chain, and the last head that was written outside of the database.
create table audit_state (
  only_row boolean not null default true,
  verified_at timestamptz,
  verified_number integer,
  problem text,
  written_at timestamptz,
  written_number integer,
  written_to text,
  constraint audit_state_pkey primary key (only_row),
  constraint audit_state_one check (only_row),
  constraint audit_state_known_place check (written_to in ('file', 'log'))
);
insert into audit_state default values;
