-- Who could decide before may take the same decisions.
alter table operators add column roles text[] not null default '{cashier,approver,admin}';
alter table operators add constraint operators_known_roles
  check (roles <@ array['viewer', 'support', 'cashier', 'approver', 'admin', 'auditor'] and cardinality(roles) > 0);
