-- Payouts that leave in a file. The exact bytes are stored with the batch, before any file is written.
create table payout_batches (
  id text collate "C" not null,
  connection text collate "C" not null,
  source_account_id text collate "C" not null,
  -- cut: stored · staged: the file is in staging/ · released: in outbox/ · fetched: no longer there · cancelling, cancelled.
  state text not null,
  folder text not null,
  file_name text not null,
  -- The one file in staging/ that may be moved to outbox/. Null while cut.
  staged_name text,
  format text not null,
  sha256 text not null,
  -- Null after an erasure of one of its recipients.
  content bytea,
  orders int not null,
  amount bigint not null,
  currency text not null,
  -- Why the last step failed. Null after it succeeded.
  problem text,
  created_at timestamptz not null,
  released_at timestamptz,
  fetched_at timestamptz,
  cancelled_by text,
  cancel_reason text,
  hold_until timestamptz,
  cancelled_at timestamptz,
  constraint payout_batches_pkey primary key (id),
  constraint payout_batches_source foreign key (source_account_id) references collecting_accounts (id),
  constraint payout_batches_known_state check (state in ('cut', 'staged', 'released', 'fetched', 'cancelling', 'cancelled')),
  constraint payout_batches_file_once unique (connection, file_name),
  constraint payout_batches_some check (orders > 0 and amount > 0),
  constraint payout_batches_cancelled_by check (state not in ('cancelling', 'cancelled') or cancelled_by is not null)
);
create index payout_batches_in_work on payout_batches (created_at) where state in ('cut', 'staged', 'released', 'cancelling');
create index payout_batches_fetched on payout_batches (fetched_at) where state = 'fetched';
create index payout_batches_by_time on payout_batches (created_at);

create trigger payout_batches_terms_fixed
before update of id, connection, source_account_id, folder, file_name, format, sha256, orders, amount, currency, created_at on payout_batches
for each row when (
  (old.id, old.connection, old.source_account_id, old.folder, old.file_name, old.format, old.sha256, old.orders, old.amount, old.currency, old.created_at)
  is distinct from
  (new.id, new.connection, new.source_account_id, new.folder, new.file_name, new.format, new.sha256, new.orders, new.amount, new.currency, new.created_at)
) execute function refuse_change_of_terms();
create trigger payout_batches_content_fixed before update of content on payout_batches
for each row when (new.content is not null and new.content is distinct from old.content) execute function refuse_change_of_terms();
create trigger payout_batches_never_deleted before delete on payout_batches for each row execute function refuse_change();
create trigger payout_batches_never_emptied before truncate on payout_batches for each statement execute function refuse_change();

-- The end-to-end id of an item is its withdrawal's id.
create table payout_batch_items (
  batch_id text collate "C" not null,
  number int not null,
  merchant_id text collate "C" not null,
  withdrawal_id text collate "C" not null,
  cancelled boolean not null default false,
  constraint payout_batch_items_pkey primary key (batch_id, number),
  constraint payout_batch_items_batch foreign key (batch_id) references payout_batches (id),
  constraint payout_batch_items_payout foreign key (merchant_id, withdrawal_id) references payouts (merchant_id, withdrawal_id)
);
-- A payment is in one file at a time.
create unique index payout_batch_items_one_live on payout_batch_items (withdrawal_id) where not cancelled;
create index payout_batch_items_by_withdrawal on payout_batch_items (withdrawal_id);

create trigger payout_batch_items_terms_fixed before update of batch_id, number, merchant_id, withdrawal_id on payout_batch_items
for each row when (
  (old.batch_id, old.number, old.merchant_id, old.withdrawal_id) is distinct from (new.batch_id, new.number, new.merchant_id, new.withdrawal_id)
) execute function refuse_change_of_terms();
-- What was cancelled stays so.
create trigger payout_batch_items_stay_cancelled before update of cancelled on payout_batch_items
for each row when (old.cancelled and not new.cancelled) execute function refuse_change_of_terms();
create trigger payout_batch_items_never_deleted before delete on payout_batch_items for each row execute function refuse_change();
create trigger payout_batch_items_never_emptied before truncate on payout_batch_items for each statement execute function refuse_change();

-- What a bank reports about order files (pain.002), as received.
create table order_reports (
  id text collate "C" not null,
  connection text collate "C" not null,
  name text not null,
  sha256 text not null,
  -- Null after an erasure of one of the recipients.
  content bytea,
  -- Null: the report names no batch of this connection.
  batch_id text collate "C",
  message_id text,
  received_at timestamptz not null,
  -- Null until every item of it was judged.
  applied_at timestamptz,
  constraint order_reports_pkey primary key (id),
  constraint order_reports_once unique (connection, sha256),
  constraint order_reports_batch foreign key (batch_id) references payout_batches (id)
);
create index order_reports_to_apply on order_reports (received_at) where applied_at is null;
create index order_reports_by_batch on order_reports (batch_id) where batch_id is not null;
create index order_reports_without_batch on order_reports (received_at) where batch_id is null;

create trigger order_reports_terms_fixed before update of id, connection, name, sha256, batch_id, message_id, received_at on order_reports
for each row when (
  (old.id, old.connection, old.name, old.sha256, old.batch_id, old.message_id, old.received_at)
  is distinct from (new.id, new.connection, new.name, new.sha256, new.batch_id, new.message_id, new.received_at)
) execute function refuse_change_of_terms();
create trigger order_reports_content_fixed before update of content on order_reports
for each row when (new.content is not null and new.content is distinct from old.content) execute function refuse_change_of_terms();
create trigger order_reports_never_deleted before delete on order_reports for each row execute function refuse_change();
create trigger order_reports_never_emptied before truncate on order_reports for each statement execute function refuse_change();

-- What a report says about one item, and what followed: settled, failed, pending, doubt, contradicts, known, unknown.
create table order_report_items (
  report_id text collate "C" not null,
  end_to_end_id text collate "C" not null,
  status text,
  outcome text not null,
  why text,
  judged_at timestamptz not null,
  constraint order_report_items_pkey primary key (report_id, end_to_end_id),
  constraint order_report_items_report foreign key (report_id) references order_reports (id),
  constraint order_report_items_known check (outcome in ('settled', 'failed', 'pending', 'doubt', 'contradicts', 'known', 'unknown'))
);
create index order_report_items_contradicting on order_report_items (judged_at) where outcome in ('contradicts', 'unknown');

create trigger order_report_items_append_only before update or delete on order_report_items
  for each row execute function refuse_change();
create trigger order_report_items_never_emptied before truncate on order_report_items
  for each statement execute function refuse_change();
