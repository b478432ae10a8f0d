-- What vezne_app and vezne_read (roles.sql) may do with each table. Every `vezne migrate` applies this in the transaction of its
-- migrations, so that new tables are covered. It does nothing for a role that does not exist.
do $$
declare
  one record;
begin
  for one in
    -- The query between these marks is also run by `vezne doctor` and /readyz, which compare it with what the role may do.
    -- rights
    select c.oid::regclass as name, c.relname, c.relowner, case
        -- /readyz tries a write that changes nothing.
        when c.relname = 'schema_migrations' then 'select, update (applied_at)'
        when c.relkind = 'v' then 'select'
        -- Written by the trigger of audit_pending, with the owner's rights.
        when c.relname in ('audit_entries', 'audit_head') then 'select'
        when c.relname = 'audit_pending' then 'select, insert'
        when erased ? c.relname then format('select, insert, update (%I)', erased ->> c.relname)
        when exists (
          select from pg_trigger t where t.tgrelid = c.oid and t.tgname = c.relname || '_append_only'
        ) then 'select, insert'
        when c.relname = any(deleted_from) then 'select, insert, update, delete'
        else 'select, insert, update'
      end as app, c.relname <> all(secret) as read
    from pg_class c, (select
      -- Tables that the service deletes rows from.
      array[
        'api_calls', 'deliveries', 'delivery_attempts', 'delivery_claims', 'events', 'line_parts', 'login_failures',
        'login_invitations', 'passkey_challenges', 'passkeys', 'proposal_subjects', 'rejected_addresses', 'saved_views', 'sessions', 'set_aside', 'spent_requests', 'totp_secrets', 'uploads'
      ] as deleted_from,
      -- Of append-only tables, the columns that `vezne erase` overwrites. Their triggers let nothing else through.
      '{
        "doubt_decisions": "evidence", "payout_calls": "detail"
      }'::jsonb as erased,
      -- Tables that authenticate someone: not for reports.
      array[
        'callback_secrets', 'connections', 'deployment_secrets', 'login_failures', 'login_invitations', 'logins', 'merchant_keys',
        'merchant_secrets', 'passkey_challenges', 'passkeys', 'sessions', 'spent_requests', 'totp_secrets'
      ] as secret
    ) lists
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v')
    -- /rights
  loop
    continue when not pg_has_role(one.relowner, 'usage');
    if to_regrole('vezne_app') is not null then
      execute format('revoke all on %s from vezne_app', one.name);
      execute format('grant %s on %s to vezne_app', one.app, one.name);
    end if;
    if to_regrole('vezne_read') is not null then
      execute format('revoke all on %s from vezne_read', one.name);
      if one.read then
        execute format('grant select on %s to vezne_read', one.name);
      end if;
    end if;
  end loop;
end
$$;
