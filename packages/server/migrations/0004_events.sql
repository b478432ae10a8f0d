-- The outbox: what merchants are told, written in the transaction of the change itself. The body is text, because the
-- bytes that are signed must be the bytes that are sent, every time.
create table events (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  transaction_id text collate "C" not null,
  sequence int not null,
  type text not null,
  body text not null,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  constraint events_numbered_once unique (merchant_id, transaction_id, sequence)
);
