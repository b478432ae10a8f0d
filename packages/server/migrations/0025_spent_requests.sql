-- Signed requests that may not run again while their timestamp is valid: calls without a processId, and refused calls.
create table spent_requests (
  merchant_id text collate "C" not null,
  -- X-Signature as sent: it covers timestamp, method, target and body.
  signature text collate "C" not null,
  received_at timestamptz not null,
  -- Past this moment the timestamp is refused by itself.
  expires_at timestamptz not null,
  -- What was returned (code, message, details); null for a call that was let through to its handler.
  refusal json,
  constraint spent_requests_pkey primary key (merchant_id, signature)
);
create index spent_requests_to_prune on spent_requests (expires_at);

-- The bank the merchant asked for, kept when the customer changes it: '' for none, null while it is still bank_id.
alter table deposits add column requested_bank_id text;
