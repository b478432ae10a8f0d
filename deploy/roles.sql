-- The database roles of a deployment. Run it in Vezne's database as an administrator of the server; running it again is harmless.
--   vezne_owner  owns the tables and runs `vezne migrate`
--   vezne_app    reads and writes rows: `vezne serve`, `vezne work` and all other commands
--   vezne_read   reads for reports, no secrets
-- Rights on tables are in grants.sql, which every `vezne migrate` applies. A role without a password cannot log in with one:
--   alter role vezne_app password '…';
do $$
declare
  wanted text;
begin
  foreach wanted in array array['vezne_owner', 'vezne_app', 'vezne_read'] loop
    if to_regrole(wanted) is null then
      execute format('create role %I login', wanted);
    end if;
  end loop;
end
$$;

-- Only the owner makes objects. A temporary table could stand in front of a real one of the same name.
do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
end
$$;
revoke create on schema public from public;
grant usage, create on schema public to vezne_owner;
grant usage on schema public to vezne_app, vezne_read;

alter role vezne_read set default_transaction_read_only = on;

-- A report must not take the connections of the service, nor keep old rows from being vacuumed.
alter role vezne_read connection limit 5;
alter role vezne_read set statement_timeout = '60s';
alter role vezne_read set idle_in_transaction_session_timeout = '60s';
alter role vezne_read set idle_session_timeout = '5min';

-- Functions that every role may call without a right on any table: advisory locks, which the workers would wait for, large objects, and
-- messages in the write-ahead log. Only a superuser can revoke them; where there is none, `vezne doctor` warns.
do $$
declare
  one record;
begin
  if not (select rolsuper from pg_roles where rolname = current_user) then
    raise notice '% is no superuser: vezne_read can still hold advisory locks and write large objects', current_user;
    return;
  end if;
  for one in
    select oid::regprocedure as name, proname like '%advisory%' as is_lock from pg_proc
    where pronamespace = 'pg_catalog'::regnamespace
      and proname ~ '^(pg_(try_)?advisory_.*|lo_.*|loread|lowrite|pg_logical_emit_message)$'
  loop
    execute format('revoke execute on function %s from public', one.name);
    if one.is_lock then
      execute format('grant execute on function %s to vezne_owner, vezne_app', one.name);
    end if;
  end loop;
end
$$;
