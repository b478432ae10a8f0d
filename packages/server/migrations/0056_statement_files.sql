-- Statements that came as files. The original is kept, so that an interrupted import goes on from it and an auditor can read it.
create table statement_files (
  id text collate "C" not null,
  -- The source of its lines.
  connection text collate "C" not null,
  name text not null,
  sha256 text collate "C" not null,
  size integer not null,
  format text not null,
  -- How a table is read: a bank profile or a column mapping. Null for camt and MT.
  profile json,
  -- The account that was named by who imported it, for files that name none.
  account_iban text,
  state text not null,
  -- What the checks found before the import, and why it was imported all the same.
  checks json not null,
  accepted_why text,
  -- Of the whole file, once it is imported; `pending` and `unread` lines are not booked.
  lines integer,
  pending integer,
  unread integer,
  created_by text not null,
  created_at timestamptz not null,
  imported_at timestamptz,
  undone_by text,
  undone_at timestamptz,
  undone_why text,
  constraint statement_files_pkey primary key (id),
  constraint statement_files_known_state check (state in ('storing', 'importing', 'imported', 'undone')),
  constraint statement_files_known_format
    check (format in ('camt.052', 'camt.053', 'camt.054', 'mt940', 'mt942', 'csv', 'xlsx')),
  constraint statement_files_imported check (state <> 'imported' or num_nonnulls(imported_at, lines, pending, unread) = 4),
  constraint statement_files_undone
    check (num_nonnulls(undone_by, undone_at, undone_why) = case state when 'undone' then 3 else 0 end)
);

-- The same file again is the same row, unless its import was undone.
create unique index statement_files_once on statement_files (sha256) where state <> 'undone';
create index statement_files_interrupted on statement_files (created_at) where state = 'importing';

-- Pieces of the original, each compressed with gzip.
create table statement_file_parts (
  file_id text collate "C" not null,
  number integer not null,
  data bytea not null,
  constraint statement_file_parts_pkey primary key (file_id, number),
  constraint statement_file_parts_file foreign key (file_id) references statement_files (id)
);

create trigger statement_file_parts_append_only before update or delete on statement_file_parts for each row execute function refuse_change();
create trigger statement_file_parts_never_emptied before truncate on statement_file_parts for each statement execute function refuse_change();

-- What each statement of a file says. Written when all its lines are imported.
create table imported_statements (
  file_id text collate "C" not null,
  number integer not null,
  collecting_account_id text collate "C" not null,
  format text not null,
  -- The bank's own number of the statement.
  bank_id text,
  from_day date not null,
  to_day date not null,
  opening bigint,
  closing bigint,
  lines integer not null,
  credits bigint not null,
  debits bigint not null,
  constraint imported_statements_pkey primary key (file_id, number),
  constraint imported_statements_file foreign key (file_id) references statement_files (id),
  constraint imported_statements_account foreign key (collecting_account_id) references collecting_accounts (id),
  constraint imported_statements_period check (from_day <= to_day)
);

create index imported_statements_by_day on imported_statements (collecting_account_id, to_day);
create trigger imported_statements_append_only before update or delete on imported_statements for each row execute function refuse_change();
create trigger imported_statements_never_emptied before truncate on imported_statements for each statement execute function refuse_change();

-- The file that gave the balances of a day.
alter table statements add column balances_file_id text collate "C"
  constraint statements_balances_file references statement_files (id);

-- No row is read here: new columns are null, or have their default, everywhere.
alter table bank_lines add column statement_file_id text collate "C"
  constraint bank_lines_statement_file references statement_files (id);
-- The bank's number of the entry that this line is a detail of.
alter table bank_lines add column batch_reference text;
-- The bank gave a day and no time: `booked_at` is its start in Istanbul.
alter table bank_lines add column whole_day boolean not null default false;
