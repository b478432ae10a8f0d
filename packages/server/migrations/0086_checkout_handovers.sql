-- online: the code in the QR of a checkout page, of which only a hash is kept; used once, and for a few minutes.
alter table deposits add column if not exists handover_hash bytea, add column if not exists handover_until timestamptz;
