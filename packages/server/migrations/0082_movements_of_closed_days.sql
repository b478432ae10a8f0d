-- What moved each merchant's money on a closed day, by kind of entry: a month is then read without its entries.
create table book_movements (
  decision_id text collate "C" not null,
  merchant_id text collate "C" not null,
  currency text not null,
  kind text not null,
  net bigint not null,
  fee bigint not null,
  constraint book_movements_pkey primary key (decision_id, merchant_id, currency, kind),
  constraint book_movements_decision foreign key (decision_id) references book_decisions (id)
);
create trigger book_movements_append_only before delete or update on book_movements for each row execute function refuse_change();
create trigger book_movements_never_emptied before truncate on book_movements for each statement execute function refuse_change();

-- False: closed by a version that did not store them.
alter table book_decisions add column has_movements boolean not null default false;
