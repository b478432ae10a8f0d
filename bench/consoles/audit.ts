/** Decisions of people, with the hashes of the chain: one of twenty transactions has one. $1 is not possible in a block: texts are of the bench. */
export const AUDIT = `
  do $$
  declare
    head record;
    one record;
    next int;
    digest bytea;
  begin
    select h.number, h.hash into strict head from audit_head h for update;
    for one in select at, 'operator:bench' as actor, 'withdrawal.approve' as action, 'withdrawal:' || k || 'a0' || r as subject
      from numbers where n % 20 = 7 order by n
    loop
      next := head.number + 1;
      digest := sha256(head.hash || convert_to(
        audit_field(next::text) || audit_field(to_char(one.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
          || audit_field(one.actor) || audit_field(one.action) || audit_field(one.subject) || audit_field(null)
          || audit_field(null) || audit_field(null) || audit_field('{}'), 'UTF8'));
      insert into audit_entries (number, at, actor, action, subject, origin, previous_hash, hash)
      values (next, one.at, one.actor, one.action, one.subject, '{}', head.hash, digest);
      head.number := next;
      head.hash := digest;
    end loop;
    update audit_head set number = head.number, hash = head.hash;
  end $$`
