-- Changes of settings that one person proposes and another approves. Payload and description are canonical JSON: their hashes are what is approved.
create table change_requests (
  id text collate "C" not null,
  kind text not null,
  -- What the change is about, such as merchant:ID.
  target text collate "C" not null,
  -- The merchant whose users may decide about it too; null: only the operator's staff.
  merchant_id text collate "C",
  payload text not null,
  payload_sha256 text not null,
  -- Before and after, as they were shown to who proposed it.
  description text not null,
  seen_sha256 text not null,
  reason text,
  proposed_by text not null,
  proposed_at timestamptz not null,
  state text not null default 'open',
  decided_by text,
  decided_at timestamptz,
  note text,
  constraint change_requests_pkey primary key (id),
  constraint change_requests_merchant foreign key (merchant_id) references merchants (id),
  constraint change_requests_known_state check (state in ('open', 'applied', 'rejected', 'withdrawn', 'expired')),
  constraint change_requests_decided check ((state = 'open') = (decided_at is null)),
  constraint change_requests_decided_by_someone check ((state in ('open', 'expired')) = (decided_by is null)),
  constraint change_requests_two_people check (state <> 'applied' or decided_by <> proposed_by)
);

create unique index change_requests_one_open on change_requests (kind, target) where state = 'open';
create index change_requests_by_merchant on change_requests (merchant_id, id);

-- The second person approves what the first has proposed, and a decision stands.
create trigger change_requests_terms_fixed before update on change_requests
for each row when (
  (old.id, old.kind, old.target, old.merchant_id, old.payload, old.payload_sha256, old.description, old.seen_sha256, old.reason, old.proposed_by, old.proposed_at)
  is distinct from
  (new.id, new.kind, new.target, new.merchant_id, new.payload, new.payload_sha256, new.description, new.seen_sha256, new.reason, new.proposed_by, new.proposed_at)
  or old.state <> 'open'
) execute function refuse_change_of_terms();
create trigger change_requests_never_deleted before delete on change_requests for each row execute function refuse_change();
create trigger change_requests_never_emptied before truncate on change_requests for each statement execute function refuse_change();

-- From this amount on two people match money to a deposit by hand; null: one is enough.
alter table merchants
  add column match_approval_from bigint,
  add constraint merchants_match_approval_from check (match_approval_from > 0);
