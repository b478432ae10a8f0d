-- Whether the database is live, recorded once: VEZNE_MODE can be forgotten, and a sandbox makes money from nothing.
create table deployment (
  only_row boolean not null default true,
  mode text not null,
  recorded_at timestamptz not null,
  constraint deployment_pkey primary key (only_row),
  constraint deployment_one_row check (only_row),
  constraint deployment_known_mode check (mode in ('sandbox', 'live'))
);
create trigger deployment_append_only before update or delete on deployment for each row execute function refuse_change();
create trigger deployment_never_emptied before truncate on deployment for each statement execute function refuse_change();

-- Every start of a sandbox made the demo merchant, and live refused to start with it. A database that was never started has no banks:
-- its mode is recorded by the first `vezne migrate`.
insert into deployment (mode, recorded_at)
select case when exists (select from merchants m where m.demo) then 'sandbox' else 'live' end, now()
where exists (select from banks);

-- Also refuses a process of the version before, which does not read the mode.
create function refuse_demo_in_live() returns trigger language plpgsql as $$
begin
  if exists (select from deployment d where d.mode = 'live') then
    raise exception 'merchants_no_demo_in_live: the database is live, and the secret of the demo merchant is no secret'
      using errcode = 'check_violation', constraint = 'merchants_no_demo_in_live', table = 'merchants';
  end if;
  return new;
end
$$;
create trigger merchants_no_demo_in_live before insert or update of demo on merchants
for each row when (new.demo) execute function refuse_demo_in_live();
