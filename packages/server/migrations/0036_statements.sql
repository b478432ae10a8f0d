-- What a bank says has moved on an account in a period. A feed gives no statements of its own: its lines make one for each account and
-- booking day in Istanbul. `connection` is the source of its lines.
create table statements (
  id text collate "C" not null,
  collecting_account_id text collate "C" not null,
  connection text collate "C" not null,
  from_day date not null,
  to_day date not null,
  -- Null where the bank does not give it.
  opening_balance bigint,
  closing_balance bigint,
  created_at timestamptz not null,
  constraint statements_pkey primary key (id),
  constraint statements_account foreign key (collecting_account_id) references collecting_accounts (id),
  constraint statements_period check (from_day <= to_day),
  constraint statements_once unique (collecting_account_id, from_day, to_day, connection)
);

create index statements_by_day on statements (from_day, id);

-- Null on lines of the version before; a worker fills them, some at a time. No row is read here: a new column is null everywhere.
alter table bank_lines add column statement_id text collate "C"
  constraint bank_lines_statement references statements (id);
