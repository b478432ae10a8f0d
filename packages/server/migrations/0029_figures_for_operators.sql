-- online: an index of a large table.
-- When the ledger was checked last and what was found: one process checks for all, and every process shows the result.
create table if not exists ledger_checks (
  only_row boolean not null default true,
  started_at timestamptz not null,
  finished_at timestamptz,
  drifted int,
  constraint ledger_checks_pkey primary key (only_row),
  constraint ledger_checks_one_row check (only_row),
  constraint ledger_checks_finished check ((finished_at is null) = (drifted is null))
);

-- The oldest open delivery of an endpoint. By an expression, so that no plan for another statement prefers it to its own index.
create index concurrently if not exists deliveries_oldest on deliveries ((merchant_id || '/' || endpoint_id), created_at)
  where state in ('waiting', 'behind');
