-- Audit: every decision of people, in a chain of hashes that shows any later change.

create table audit_entries (
  number int not null,
  at timestamptz not null,
  actor text collate "C" not null,
  action text collate "C" not null,
  -- What it is about, as kind:id.
  subject text collate "C" not null,
  before jsonb,
  after jsonb,
  reason text,
  -- Edge, host, address, session: where the decision was taken.
  origin jsonb not null,
  previous_hash bytea not null,
  hash bytea not null,
  constraint audit_entries_pkey primary key (number),
  constraint audit_entries_from_one check (number > 0),
  constraint audit_entries_sha256 check (octet_length(hash) = 32 and octet_length(previous_hash) = 32)
);
create index audit_entries_by_time on audit_entries (at, number);
create index audit_entries_by_actor on audit_entries (actor, at, number);
create index audit_entries_by_action on audit_entries (action, at, number);
create index audit_entries_by_subject on audit_entries (subject, at, number);
create trigger audit_entries_append_only before update or delete on audit_entries for each row execute function refuse_change();
create trigger audit_entries_never_emptied before truncate on audit_entries for each statement execute function refuse_change();

-- The newest entry. Locking the row puts commits in order; with it, also the removal of the last entries shows.
create table audit_head (
  only_row boolean not null default true,
  number int not null,
  hash bytea not null,
  constraint audit_head_pkey primary key (only_row),
  constraint audit_head_one check (only_row)
);
insert into audit_head (number, hash) values (0, decode(repeat('00', 32), 'hex'));
create trigger audit_head_append_only before update or delete on audit_head for each row when (pg_trigger_depth() = 0) execute function refuse_change();
create trigger audit_head_never_emptied before truncate on audit_head for each statement execute function refuse_change();

-- Entries of open transactions. At the commit each gets its number and hash and moves to audit_entries, so that no transaction holds the
-- head while it waits for something else, and one that is rolled back leaves no gap. Outside of a transaction the table is empty.
create table audit_pending (
  id int generated always as identity,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  reason text,
  origin jsonb not null,
  constraint audit_pending_pkey primary key (id)
);

-- A netstring: length in bytes, colon, text, comma. Null is a lone hyphen and comma.
create function audit_field(given text) returns text language sql immutable parallel safe as $$
  select coalesce(octet_length(given) || ':' || given || ',', '-,')
$$;

-- Runs with the owner's rights: the service may insert into audit_pending and change nothing else.
create function chain_audit() returns trigger language plpgsql security definer as $$
declare
  head record;
  next int;
  digest bytea;
begin
  select h.number, h.hash into strict head from audit_head h for update;
  next := head.number + 1;
  digest := sha256(head.hash || convert_to(
    audit_field(next::text) || audit_field(to_char(new.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
      || audit_field(new.actor) || audit_field(new.action) || audit_field(new.subject) || audit_field(new.before::text)
      || audit_field(new.after::text) || audit_field(new.reason) || audit_field(new.origin::text),
    'UTF8'));
  insert into audit_entries (number, at, actor, action, subject, before, after, reason, origin, previous_hash, hash)
  values (next, new.at, new.actor, new.action, new.subject, new.before, new.after, new.reason, new.origin, head.hash, digest);
  update audit_head set number = next, hash = digest;
  delete from audit_pending p where p.id = new.id;
  return null;
end
$$;
-- Else any role could use it as the trigger of a table of its own.
revoke execute on function chain_audit() from public;
-- Temporary tables are found last, so that no role can put its own in front.
do $$ begin execute format('alter function chain_audit() set search_path = %I, pg_temp', current_schema()); end $$;
create constraint trigger audit_pending_chained after insert on audit_pending
  deferrable initially deferred for each row execute function chain_audit();
