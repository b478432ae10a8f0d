-- What vezne_app and vezne_read (roles.sql) may do with each table. Every `vezne migrate` applies this in the transaction of its
-- migrations, so that new tables are covered. It does nothing for a role that does not exist.
do $$
declare
  -- Tables that the service deletes rows from.
  deleted_from constant text[] := array[
    'api_calls', 'deliveries', 'delivery_attempts', 'delivery_claims', 'deployment_secrets', 'events', 'line_allocations', 'login_failures',
    'login_invitations', 'merchant_banks_off', 'merchant_networks', 'passkey_challenges', 'passkeys', 'recovery_codes', 'rejected_addresses', 'saved_views', 'sessions', 'spent_requests', 'totp_secrets', 'uploads'
  ];
  -- Of append-only tables, the columns that `vezne erase` overwrites. Their triggers let nothing else through.
  erased constant jsonb := '{
    "doubt_decisions": "evidence", "payout_calls": "detail", "withdrawal_approvals": "note", "withdrawal_stops": "reason"
  }';
  -- Tables that authenticate someone: not for reports.
  secret constant text[] := array[
    'callback_secrets', 'connections', 'deployment_secrets', 'login_failures', 'login_invitations', 'logins', 'merchant_keys',
    'merchant_secrets', 'passkey_challenges', 'passkeys', 'recovery_codes', 'sessions', 'spent_requests', 'totp_secrets'
  ];
  one record;
begin
  for one in
    select c.oid::regclass as name, c.relname, c.relkind,
      exists (
        select from pg_trigger t where t.tgrelid = c.oid and t.tgname = c.relname || '_append_only'
      ) as append_only
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v') and pg_has_role(c.relowner, 'usage')
  loop
    if to_regrole('vezne_app') is not null then
      execute format('revoke all on %s from vezne_app', one.name);
      execute format('grant %s on %s to vezne_app', case
        -- /readyz tries a write that changes nothing.
        when one.relname = 'schema_migrations' then 'select, update (applied_at)'
        when one.relkind = 'v' then 'select'
        -- Written by the trigger of audit_pending, with the owner's rights.
        when one.relname in ('audit_entries', 'audit_head') then 'select'
        when one.relname = 'audit_pending' then 'select, insert'
        when erased ? one.relname then format('select, insert, update (%I)', erased ->> one.relname)
        when one.append_only then 'select, insert'
        when one.relname = any(deleted_from) then 'select, insert, update, delete'
        else 'select, insert, update'
      end, one.name);
    end if;
    if to_regrole('vezne_read') is not null then
      execute format('revoke all on %s from vezne_read', one.name);
      if one.relname <> all(secret) then
        execute format('grant select on %s to vezne_read', one.name);
      end if;
    end if;
  end loop;
end
$$;
