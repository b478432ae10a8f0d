-- Deposits that a merchant's staff made by hand in its console. Written before the deposit, which has the same processId; all else
-- is in the deposit.
create table payment_links (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  made_by text not null,
  made_at timestamptz not null,
  constraint payment_links_pkey primary key (merchant_id, id),
  constraint payment_links_merchant foreign key (merchant_id) references merchants (id)
);
