-- Filters of the list of transactions that a person keeps under a name. A query has the fields of the filter only: no text of people
-- or about customers. The number bounds how many a person has.
create table saved_views (
  login_id text collate "C" not null,
  id text collate "C" not null,
  number int not null,
  name text not null,
  query text not null,
  created_at timestamptz not null,
  constraint saved_views_pkey primary key (login_id, id),
  constraint saved_views_login foreign key (login_id) references logins (id),
  constraint saved_views_bounded unique (login_id, number),
  constraint saved_views_known_number check (number between 1 and 20),
  constraint saved_views_name_once unique (login_id, name),
  constraint saved_views_short check (char_length(name) between 1 and 60 and char_length(query) <= 500)
);
