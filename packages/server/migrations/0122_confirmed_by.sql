-- Standbys of which each had confirmed everything at the last handover, in lower case: only their promotion loses nothing.
-- `synchronous` did not say which standby, is no longer used, and is dropped one release later.
alter table sending add column confirmed_by text[] not null default '{}';
