-- Private networks that callbacks may go to in live, allowed by two people.
create table callback_networks (
  network text not null,
  added_at timestamptz not null,
  constraint callback_networks_pkey primary key (network)
);
