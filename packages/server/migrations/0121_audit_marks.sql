-- Every audit entry carries a mark of the service: who only writes to the database cannot make one in another's name.
alter table audit_pending add column mark text;
alter table audit_entries add column mark text;

create or replace function chain_audit() returns trigger language plpgsql security definer as $$
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
  insert into audit_entries (number, at, actor, action, subject, before, after, reason, origin, mark, previous_hash, hash)
  values (next, new.at, new.actor, new.action, new.subject, new.before, new.after, new.reason, new.origin, new.mark, head.hash, digest);
  update audit_head set number = next, hash = digest;
  delete from audit_pending p where p.id = new.id;
  return null;
end
$$;
