-- How we talk to one bank. `name` is what payouts.connection, bank_lines.source and statement_cursors.source have.
create table connections (
  name text collate "C" not null,
  kind text not null,
  created_at timestamptz not null,
  constraint connections_pkey primary key (name),
  constraint connections_known_kind check (kind in ('http_api', 'manual'))
);

insert into connections (name, kind, created_at)
select source, case source when 'manual' then 'manual' else 'http_api' end, now() from statement_cursors;

-- The source of record: only its lines are booked for this account, and payouts from the account leave over it. Null until a worker, which
-- knows the configured connection, has filled it: lines of every connection are booked, as in the version before.
alter table collecting_accounts add column connection text collate "C"
  constraint collecting_accounts_connection references connections (name);
