-- Connections that operators configure. `settings` is null for those of the environment and of the sandbox. `sealed` has the secret
-- together with the address it is sent to: someone who can only write rows cannot send it elsewhere.
alter table connections
  add column settings jsonb,
  add column sealed text,
  add column disabled_at timestamptz,
  drop constraint connections_known_kind,
  add constraint connections_known_kind check (kind in ('http_api', 'file_exchange', 'manual')),
  -- Payouts know only the name of their connection, and those sent by hand are treated differently.
  add constraint connections_manual_by_name check ((kind = 'manual') = (name ~ '^manual(-|$)')),
  add constraint connections_sealed_for_api check (sealed is null or (kind = 'http_api' and settings is not null));

-- Who added, changed, disabled or enabled a connection. Never contains a secret.
create table connection_changes (
  connection text collate "C" not null,
  number int not null,
  what text not null,
  changed_by text not null,
  details json not null,
  changed_at timestamptz not null,
  constraint connection_changes_pkey primary key (connection, number),
  constraint connection_changes_connection foreign key (connection) references connections (name),
  constraint connection_changes_known_what check (what in ('added', 'changed', 'disabled', 'enabled', 'test_transfer'))
);
create trigger connection_changes_append_only before update or delete on connection_changes for each row execute function refuse_change();
create trigger connection_changes_never_emptied before truncate on connection_changes for each statement execute function refuse_change();
