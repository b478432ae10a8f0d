-- Secrets of the deployment itself, sealed like those of merchants. Token keys are random, so they survive a new master key.
create table deployment_secrets (
  name text collate "C" not null,
  sealed text not null,
  created_at timestamptz not null,
  constraint deployment_secrets_pkey primary key (name)
);
