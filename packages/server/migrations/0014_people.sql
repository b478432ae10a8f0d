-- The operator's staff, by name. A decision about money carries one of these names.
create table operators (
  name text primary key,
  created_at timestamptz not null,
  disabled_at timestamptz,
  constraint operators_plain_name check (name ~ '^[a-z][a-z0-9._-]{1,39}$')
);
