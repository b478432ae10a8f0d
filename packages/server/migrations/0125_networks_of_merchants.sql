-- Private networks are allowed for the callbacks of one merchant, and count with their mark only. Those from before have neither.
-- contract: no released version has this table.
delete from callback_networks;
-- contract: no released version has this table.
alter table callback_networks
  drop constraint callback_networks_pkey,
  add column merchant_id text collate "C" not null,
  add column mark text not null,
  add constraint callback_networks_pkey primary key (merchant_id, network),
  add constraint callback_networks_merchant_id_fkey foreign key (merchant_id) references merchants (id);
