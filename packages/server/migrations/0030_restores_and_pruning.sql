-- A database that was restored to an earlier moment does not know what was sent after it. While a row here is open, no payout is sent.
create table restores (
  number int not null,
  restored_to timestamptz not null,
  marked_by text not null,
  marked_at timestamptz not null,
  released_by text,
  released_at timestamptz,
  note text,
  constraint restores_pkey primary key (number),
  constraint restores_released_by_someone check ((released_at is null) = (released_by is null))
);

create unique index restores_one_open on restores ((released_at is null)) where released_at is null;

-- Up to which place in a merchant's stream the worker has judged old events. What it kept there stays until `vezne prune`.
create table event_pruning (
  merchant_id text collate "C" not null,
  position bigint not null,
  constraint event_pruning_pkey primary key (merchant_id)
);
