-- The schema of 1.0. From here on a migration only adds to it.

-- A netstring: length in bytes, colon, text, comma. Null is a lone hyphen and comma.
create function audit_field(given text) returns text language sql immutable parallel safe as $$
  select coalesce(octet_length(given) || ':' || given || ',', '-,')
$$;

-- Runs with the owner's rights: the service may insert into audit_pending and change nothing else.
create function chain_audit() returns trigger language plpgsql security definer as $$
declare
  head record;
  next int;
  digest bytea;
begin
  select h.number, h.hash into strict head from audit_head h for update;
  next := head.number + 1;
  digest := sha256(head.hash || convert_to(
    audit_field(next::text) || audit_field(to_char(new.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
      || audit_field(new.actor) || audit_field(new.action) || audit_field(new.subject) || audit_field(new.before::text)
      || audit_field(new.after::text) || audit_field(new.reason) || audit_field(new.origin::text),
    'UTF8'));
  insert into audit_entries (number, at, actor, action, subject, before, after, reason, origin, mark, previous_hash, hash)
  values (next, new.at, new.actor, new.action, new.subject, new.before, new.after, new.reason, new.origin, new.mark, head.hash, digest);
  update audit_head set number = next, hash = digest;
  delete from audit_pending p where p.id = new.id;
  return null;
end
$$;

-- The last check at commit: the parts of a line never exceed its amount, a matched line has parts for all of it, and one that is
-- not matched has only the deposits for which it is held. The line is locked: of two processes that explain it at once, the second
-- sees what the first has committed.
create function check_line_parts() returns trigger language plpgsql as $$
declare
  wanted constant text := (case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end) ->> tg_argv[0];
  line record;
  explained bigint;
begin
  select l.amount, l.state into line from bank_lines l where l.id = wanted for no key update;
  select coalesce(sum(p.amount), 0) into explained from line_parts p where p.line_id = wanted;
  if explained > line.amount then
    raise exception 'bank line % has %, and its parts have %', wanted, line.amount, explained
      using errcode = 'check_violation', constraint = 'line_parts_within_line', table = 'line_parts';
  end if;
  if line.state = 'matched' and explained <> line.amount then
    raise exception 'bank line % is matched and has %, but its parts have %', wanted, line.amount, explained
      using errcode = 'check_violation', constraint = 'bank_lines_matched_in_full', table = 'bank_lines';
  end if;
  if line.state <> 'matched' and exists (select from line_parts p where p.line_id = wanted and p.kind <> 'deposit') then
    raise exception 'bank line % is %, and a part of it is explained', wanted, line.state
      using errcode = 'check_violation', constraint = 'line_parts_of_matched', table = 'line_parts';
  end if;
  return null;
end
$$;

-- A payout still leaves once: of several debits each is needed to make its amount, and together they make it. The payout is
-- locked: of two processes that assign a debit at once, the second sees what the first has committed.
create function check_payout_debits() returns trigger language plpgsql as $$
declare
  ordered bigint;
  debits record;
begin
  select p.amount into ordered from payouts p where p.withdrawal_id = new.subject for no key update;
  select count(*) as lines, sum(p.amount) as total, min(p.amount) as least into debits
  from line_parts p where p.subject = new.subject and p.kind = 'payout';
  if debits.lines > 1 and (debits.total < coalesce(ordered, 0) or debits.total - debits.least >= coalesce(ordered, 0)) then
    raise exception 'payout % of % has % debits of % together', new.subject, ordered, debits.lines, debits.total
      using errcode = 'check_violation', constraint = 'line_parts_one_debit', table = 'line_parts';
  end if;
  return null;
end
$$;

-- Never more comes back than was sent. The payout is locked: of two processes that assign a return at once, the second sees what
-- the first has committed.
create function check_payout_returns() returns trigger language plpgsql as $$
declare
  ordered bigint;
  credits record;
begin
  select p.amount into ordered from payouts p where p.withdrawal_id = new.subject for no key update;
  select count(*) as lines, sum(p.amount) as total into credits
  from line_parts p where p.subject = new.subject and p.kind = 'payout_return';
  if credits.lines > 1 and credits.total > coalesce(ordered, 0) then
    raise exception 'payout % of % has % returns of % together', new.subject, ordered, credits.lines, credits.total
      using errcode = 'check_violation', constraint = 'line_parts_one_return', table = 'line_parts';
  end if;
  return null;
end
$$;

-- Every run of 24 hex characters in a text, also one that spaces, dashes or line breaks cut: each may be the id of a withdrawal.
-- No bank writes texts of more than 20,000 characters; the limit bounds the work for one that does.
-- The cost is what it takes: with the default of 100 the planner computed it for every row of a small table instead of using its index.
create function ids_in(written text) returns text[] language sql immutable parallel safe strict cost 10000 as $$
  select coalesce(array_agg(distinct substr(run[1], i, 24)), '{}')
  from regexp_matches(
      regexp_replace(translate(left(written, 20000), 'ABCDEF', 'abcdef'), '[^0-9A-Za-z]', '', 'g'), '[0-9a-f]{24,}', 'g'
    ) as run,
    generate_series(1, length(run[1]) - 23) as i
$$;

-- Refuses every change but one: columns with personal data (second argument) become the marker, nothing else changes, and a row of
-- `erasures` names the transaction (its id is in the column of the first argument, alone or as in `withdrawal:ID`). The markers are those
-- of src/kernel/erased.ts.
create function refuse_all_but_erasing() returns trigger language plpgsql as $$
declare
  personal constant text[] := string_to_array(tg_argv[1], ' ');
  markers constant jsonb[] := array['"[erased]"', '"TR470000000000000000000000"', '{"erased": true}'];
  before constant jsonb := to_jsonb(old);
  after constant jsonb := to_jsonb(new);
begin
  if before - personal = after - personal
    and not exists (
      select from unnest(personal) as one (name)
      where before -> one.name <> after -> one.name and (after -> one.name) <> all (markers)
    )
    and exists (
      select from erasures e
      where e.merchant_id = coalesce(before ->> 'merchant_id', e.merchant_id)
        and e.transaction_id = split_part(before ->> tg_argv[0], ':', -1)
    )
  then
    return new;
  end if;
  raise exception 'table % is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'table % is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;

-- For someone who can write rows but lacks the master key and cannot change the schema. `update of` costs the other updates nothing.
create function refuse_change_of_terms() returns trigger language plpgsql as $$
begin
  raise exception 'terms of % are fixed: %', tg_table_name, tg_name using errcode = 'restrict_violation';
end
$$;

-- A close locks out entries of earlier days while it reads them (0x626f6f6b); an entry that was dated before the close is then refused
-- as a conflict, and is dated anew when it is tried again. Entries of the current day need no lock: a day is closed after it is over.
create function refuse_closed_day() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(1651470187);
  if new.effective_on <= (select s.closed_until from ledger_state s) then
    raise exception 'The day % is closed: an entry is dated to the next open day.', new.effective_on
      using errcode = 'serialization_failure', table = 'transfers', constraint = 'transfers_in_open_day';
  end if;
  return null;
end
$$;

-- The secret of the demo merchant is no secret.
create function refuse_demo_in_live() returns trigger language plpgsql as $$
begin
  if exists (select from deployment d where d.mode = 'live') then
    raise exception 'merchants_no_demo_in_live: the database is live, and the secret of the demo merchant is no secret'
      using errcode = 'check_violation', constraint = 'merchants_no_demo_in_live', table = 'merchants';
  end if;
  return new;
end
$$;

-- The money of a withdrawal is not given back before sending if there is a payout: the bank may have it.
create function refuse_end_with_payout() returns trigger language plpgsql as $$
begin
  if exists (select from payouts p where p.merchant_id = new.merchant_id and p.withdrawal_id = new.id) then
    raise exception 'withdrawal % has a payout', new.id
      using errcode = 'check_violation', constraint = 'withdrawals_end_without_payout', table = 'withdrawals';
  end if;
  return new;
end
$$;

-- The amount and the words of a row, folded as by search_words, each behind this prefix. Amounts have a sign that no word has.
-- Built-in immutable functions only and not `strict`, for the reasons given at search_words.
create function search_entries(prefix text, amount bigint, given text) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array_remove(string_to_array(prefix || '=' || amount::text || ' ' || prefix || replace(translate(
    lower(left(given, 500) collate "C"),
    'çğıöşüâîûÇĞİÖŞÜÂÎÛýþðÝÞÐáàäãåéèêëíìïóòôõúùñÁÀÄÃÅÉÈÊËÍÌÏÓÒÔÕÚÙÑ'
      || ' !"#$%&''()*+,-./:;<=>?@[\]^_`{|}~' || chr(9) || chr(10) || chr(13) || chr(160)
      || chr(774) || chr(775) || chr(776) || chr(770) || chr(807),
    'cgiosuaiucgiosuaiuisgisgaaaaaeeeeiiioooouunaaaaaeeeeiiioooouun' || repeat(' ', 37)
  ), ' ', ' ' || prefix), ' '), prefix))
$$;

-- One of these marks, in one of these spans. Ids and amounts have no quotes.
create function search_marked(spans text[], marks text[]) returns tsquery language sql immutable parallel safe strict as $$
  select string_agg('''' || span || mark || '''', ' | ')::tsquery from unnest(spans) as span, unnest(marks) as mark
$$;

-- The spans between two ids, newest first, in lists that grow: most searches end in the first ones. At most 32, because the
-- time to begin a search grows with the square of its words.
create function search_steps(oldest text, newest text) returns setof text[] language plpgsql immutable strict as $$
declare
  first constant int := ('x' || substr(oldest, 1, 3))::bit(12)::int;
  at int := ('x' || substr(newest, 1, 3))::bit(12)::int;
  size int := 1;
begin
  while at >= first loop
    return next array(select lpad(to_hex(n), 3, '0') from generate_series(at, greatest(at - size + 1, first), -1) as n);
    at := at - size;
    size := least(size * 2, 32);
  end loop;
end
$$;

-- Prefixes of entries: the spans of search_steps, of all merchants or of one. Six digits of its id: rows of another
-- merchant with the same ones are read and left out.
create function search_prefixes(oldest text, newest text, merchant_id text) returns setof text[] language sql immutable parallel safe as $$
  select array(select span || coalesce('/' || right(merchant_id, 6), '') from unnest(spans) as span)
  from search_steps(oldest, newest) as spans
$$;

-- Only the last word of a search may be incomplete: the index reads every entry of an incomplete word, a million for "customer-77".
-- The words of a search in their order, folded as by search_words.
create function search_tokens(given text) returns text[] language sql immutable parallel safe strict as $$
  select array_remove(string_to_array(translate(
    lower(left(given, 500) collate "C"),
    'çğıöşüâîûÇĞİÖŞÜÂÎÛýþðÝÞÐáàäãåéèêëíìïóòôõúùñÁÀÄÃÅÉÈÊËÍÌÏÓÒÔÕÚÙÑ'
      || ' !"#$%&''()*+,-./:;<=>?@[\]^_`{|}~' || chr(9) || chr(10) || chr(13) || chr(160)
      || chr(774) || chr(775) || chr(776) || chr(770) || chr(807),
    'cgiosuaiucgiosuaiuisgisgaaaaaeeeeiiioooouunaaaaaeeeeiiioooouun' || repeat(' ', 37)
  ), ' '), '')
$$;

-- All words of the text, up to eight, in one of these spans; the last word may be a beginning.
create function search_query(given text, spans text[]) returns tsquery language sql immutable parallel safe strict as $$
  select string_agg('(' || replace(pattern.words, '~', span) || ')', ' | ')::tsquery from unnest(spans) as span, (
    select string_agg('''~' || word || '''' || case when place = cardinality(words) and length(word) >= 3 then ':*' else '' end, ' & ') as words
    from (select (search_tokens(given))[1:8] as words) as all_words, unnest(words) with ordinality as w (word, place)
  ) as pattern
$$;

-- All words of the text, up to eight, in one of these spans; the last word may be a beginning.
create function search_query(given text) returns tsquery language sql immutable parallel safe strict as $$
  select string_agg('''' || word || '''' || case when place = cardinality(words) and length(word) >= 3 then ':*' else '' end, ' & ')::tsquery
  from search_tokens(given) as words, unnest(words) with ordinality as one (word, place)
$$;

-- The words of a text in one spelling: lower case, Turkish and western accents and the mistakes of wrongly read files removed,
-- punctuation as spaces. Built-in functions only, so that a restore can compute it. 500 characters: a word of an index has a limit.
-- Not `strict`: then it could not be inlined, and a call would cost ten times as much.
create function search_words(given text) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array_remove(string_to_array(translate(
    lower(left(given, 500) collate "C"),
    'çğıöşüâîûÇĞİÖŞÜÂÎÛýþðÝÞÐáàäãåéèêëíìïóòôõúùñÁÀÄÃÅÉÈÊËÍÌÏÓÒÔÕÚÙÑ'
      || ' !"#$%&''()*+,-./:;<=>?@[\]^_`{|}~' || chr(9) || chr(10) || chr(13) || chr(160)
      || chr(774) || chr(775) || chr(776) || chr(770) || chr(807),
    'cgiosuaiucgiosuaiuisgisgaaaaaeeeeiiioooouunaaaaaeeeeiiioooouun' || repeat(' ', 37)
  ), ' '), ''))
$$;

create table accounts (
  id text collate "C" not null,
  merchant_id text collate "C" not null,
  kind text not null,
  currency text not null,
  subject text collate "C" not null default '',
  balance bigint not null default 0,
  lowest bigint not null default 0,
  -- Of what merchants may send.
  mark text,
  constraint accounts_pkey primary key (id),
  constraint accounts_exact_in_json check (((balance >= '-9007199254740991'::bigint) and (balance <= '9007199254740991'::bigint))),
  constraint accounts_id_currency unique (id, currency),
  constraint accounts_known_kind check ((kind in ('merchant_available', 'merchant_held', 'fees', 'payouts_in_transit', 'bank_cash', 'suspense', 'unexplained_debits', 'bank_charges', 'bank_taxes', 'interest', 'receivables', 'operator_funds'))),
  constraint accounts_lowest check ((lowest <= 0)),
  constraint accounts_never_negative check (
case
    when (kind in ('bank_cash', 'interest')) then true
    when (kind in ('unexplained_debits', 'bank_charges', 'bank_taxes', 'receivables')) then (balance <= 0)
    else (balance >= lowest)
end),
  constraint accounts_one_of_a_kind unique (merchant_id, kind, currency, subject)
) with (fillfactor=50);
create trigger accounts_terms_fixed before update of id, merchant_id, kind, currency, subject on accounts
  for each statement
  execute function refuse_change_of_terms();

-- What a merchant sees of its calls in its console. Bounded: days and rows for each merchant (prune-api-calls).
create table api_calls (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  at timestamptz not null,
  method text not null,
  path text not null,
  status int not null,
  code text,
  problem text,
  duration_ms int not null,
  address text,
  request_id text not null,
  constraint api_calls_pkey primary key (merchant_id, id)
);

create table audit_entries (
  number int not null,
  at timestamptz not null,
  actor text collate "C" not null,
  action text collate "C" not null,
  subject text collate "C" not null,
  before jsonb,
  after jsonb,
  reason text,
  origin jsonb not null,
  previous_hash bytea not null,
  hash bytea not null,
  mark text,
  constraint audit_entries_pkey primary key (number),
  constraint audit_entries_from_one check ((number > 0)),
  constraint audit_entries_sha256 check (((octet_length(hash) = 32) and (octet_length(previous_hash) = 32)))
);
create index audit_entries_by_time on audit_entries (at, number);
create index audit_entries_by_actor on audit_entries (actor, at, number);
create index audit_entries_by_action on audit_entries (action, at, number);
create index audit_entries_by_subject on audit_entries (subject, at, number);
create unique index audit_entries_mark_once on audit_entries (mark) where (mark ~~ '%.%');

-- The newest entry. Locking the row puts commits in order; with it, also the removal of the last entries shows.
create table audit_head (
  only_row boolean not null default true,
  number int not null,
  hash bytea not null,
  constraint audit_head_pkey primary key (only_row),
  constraint audit_head_one check (only_row)
);
create trigger audit_head_append_only before delete or update or truncate on audit_head
  for each statement
  when ((pg_trigger_depth() = 0))
  execute function refuse_change();

-- Entries of open transactions. At the commit each gets its number and hash and moves to audit_entries, so that no transaction holds the
-- head while it waits for something else, and one that is rolled back leaves no gap. Outside of a transaction the table is empty.
create table audit_pending (
  id int not null generated always as identity,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  reason text,
  origin jsonb not null,
  mark text,
  constraint audit_pending_pkey primary key (id)
);
create constraint trigger audit_pending_chained after insert on audit_pending
  deferrable initially deferred for each row
  execute function chain_audit();

-- The last verification of the audit's chain, and the last head that was written outside of the database.
create table audit_state (
  only_row boolean not null default true,
  verified_at timestamptz,
  verified_number int,
  problem text,
  written_at timestamptz,
  written_number int,
  written_to text,
  constraint audit_state_pkey primary key (only_row),
  constraint audit_state_known_place check ((written_to in ('file', 'log'))),
  constraint audit_state_one check (only_row)
);

-- Days on which EFT is closed, or open only until 13:00. An operator may change them; nothing in the code knows a date.
create table bank_holidays (
  day date not null,
  name text not null,
  half_day boolean not null,
  constraint bank_holidays_pkey primary key (day)
);

create table banks (
  id text collate "C" not null,
  code text collate "C" not null,
  name text not null,
  official_name text not null,
  kind text not null,
  bic text,
  enabled boolean not null,
  constraint banks_pkey primary key (id),
  constraint banks_code unique (code)
);

create table bank_limits (
  bank_id text collate "C" not null,
  currency text not null,
  min_amount bigint not null,
  max_amount bigint not null,
  constraint bank_limits_pkey primary key (bank_id, currency),
  constraint bank_limits_bank_id_fkey foreign key (bank_id) references banks(id),
  constraint bank_limits_range check (((0 < min_amount) and (min_amount <= max_amount) and (max_amount <= '9007199254740991'::bigint)))
);

-- How we talk to one bank. `name` is what payouts.connection, bank_lines.source and statement_cursors.source have.
create table connections (
  name text collate "C" not null,
  kind text not null,
  created_at timestamptz not null,
  settings jsonb,
  sealed text,
  disabled_at timestamptz,
  constraint connections_pkey primary key (name),
  constraint connections_known_kind check ((kind in ('http_api', 'file_exchange', 'manual'))),
  constraint connections_manual_by_name check (((kind = 'manual') = (name ~ '^manual(-|$)'))),
  constraint connections_sealed_if_set check (((sealed is not null) = ((kind <> 'manual') and (settings is not null))))
);

create table collecting_accounts (
  id text collate "C" not null,
  bank_id text collate "C" not null,
  title text not null,
  iban text not null,
  currency text not null,
  state text not null,
  created_at timestamptz not null,
  daily_amount_limit bigint,
  daily_count_limit int,
  daily_send_limit bigint,
  connection text collate "C",
  awaits_connection boolean not null default false,
  stopped_by text,
  karekod_producer text,
  mark text not null,
  constraint collecting_accounts_pkey primary key (id),
  constraint collecting_accounts_bank_id_fkey foreign key (bank_id) references banks(id),
  constraint collecting_accounts_connection foreign key (connection) references connections(name),
  constraint collecting_accounts_daily_limits check (((daily_amount_limit > 0) and (daily_count_limit > 0))),
  constraint collecting_accounts_iban unique (iban),
  constraint collecting_accounts_karekod_producer check ((karekod_producer ~ '^[0-9]{4}$')),
  constraint collecting_accounts_known_state check ((state in ('active', 'paused', 'draining', 'blocked'))),
  constraint collecting_accounts_known_stop check ((stopped_by = 'books_differ')),
  constraint collecting_accounts_send_limit check ((daily_send_limit > 0))
);
create trigger collecting_accounts_terms_fixed before update of id, bank_id, title, iban, currency on collecting_accounts
  for each statement
  execute function refuse_change_of_terms();

-- The operator's staff, by name. A decision about money carries one of these names.
create table operators (
  name text not null,
  created_at timestamptz not null,
  disabled_at timestamptz,
  roles text[] not null,
  mark text,
  had_login boolean not null default true,
  constraint operators_pkey primary key (name),
  constraint operators_known_roles check (((roles <@ array['viewer', 'support', 'cashier', 'approver', 'admin', 'auditor']) and (cardinality(roles) > 0))),
  constraint operators_plain_name check ((name ~ '^[a-z][a-z0-9._-]{1,39}$'))
);

-- What two people said once of such lines; the service books them from then on. Its terms never change: another rule replaces it.
create table line_rules (
  id text collate "C" not null,
  kind text not null,
  direction text not null,
  account_id text collate "C",
  words text not null,
  max_amount bigint not null,
  books boolean not null,
  reason text not null,
  proposed_by text not null,
  approved_by text not null,
  approved_at timestamptz not null,
  state text not null,
  undo_proposed_by text,
  undo_proposed_at timestamptz,
  undo_approved_by text,
  undo_reason text,
  booked int not null default 0,
  mark text not null,
  constraint line_rules_pkey primary key (id),
  constraint line_rules_account foreign key (account_id) references collecting_accounts(id),
  constraint line_rules_approved_by foreign key (approved_by) references operators(name),
  constraint line_rules_known_direction check ((direction in ('credit', 'debit'))),
  constraint line_rules_known_kind check ((kind in ('bank_charge', 'bank_tax', 'interest'))),
  constraint line_rules_known_state check ((state in ('active', 'paused', 'ended'))),
  constraint line_rules_positive check ((max_amount > 0)),
  constraint line_rules_proposed_by foreign key (proposed_by) references operators(name),
  constraint line_rules_reason check ((char_length(reason) >= 5)),
  constraint line_rules_two_people check ((approved_by <> proposed_by)),
  constraint line_rules_undo check ((num_nulls(undo_proposed_by, undo_proposed_at, undo_approved_by, undo_reason) in (0, 4))),
  constraint line_rules_undo_approved_by foreign key (undo_approved_by) references operators(name),
  constraint line_rules_undo_ended check (((undo_reason is null) or (state = 'ended'))),
  constraint line_rules_undo_proposed_by foreign key (undo_proposed_by) references operators(name),
  constraint line_rules_undo_two_people check ((undo_approved_by <> undo_proposed_by)),
  constraint line_rules_words check (((char_length(words) >= 4) and (char_length(words) <= 100)))
);
create trigger line_rules_never_deleted before delete on line_rules for each row execute function refuse_change();
create trigger line_rules_never_emptied before truncate on line_rules for each statement execute function refuse_change();
create trigger line_rules_terms_fixed before update on line_rules
  for each row
  when (((old.id is distinct from new.id) or (old.kind is distinct from new.kind) or (old.direction is distinct from new.direction) or (old.account_id is distinct from new.account_id) or (old.words is distinct from new.words) or (old.max_amount is distinct from new.max_amount) or (old.books is distinct from new.books) or (old.reason is distinct from new.reason) or (old.proposed_by is distinct from new.proposed_by) or (old.approved_by is distinct from new.approved_by) or (old.approved_at is distinct from new.approved_at) or ((old.state <> 'active') and (new.state = 'active')) or ((old.state = 'ended') and (new.state <> 'ended')) or ((old.undo_reason is not null) and (old.undo_reason is distinct from new.undo_reason))))
  execute function refuse_change_of_terms();

create table journal_entries (
  id text collate "C" not null,
  kind text not null,
  details json not null,
  reason text not null,
  -- Null: no one, because its lines say what they are for.
  proposed_by text,
  proposed_at timestamptz not null,
  approved_by text,
  posted_at timestamptz not null,
  reverses text collate "C",
  reversed_at timestamptz,
  rule_id text collate "C",
  constraint journal_entries_pkey primary key (id),
  constraint journal_entries_approved_by foreign key (approved_by) references operators(name),
  constraint journal_entries_known_kind check ((kind in ('own_transfer', 'bank_charge', 'bank_tax', 'interest', 'receivable', 'fee_withdrawal', 'refund_unexplained', 'payout_return', 'payout_debit', 'storno', 'own_funds', 'opening_balance', 'unmatch', 'deposit_payment', 'reversal'))),
  constraint journal_entries_proposed_by foreign key (proposed_by) references operators(name),
  constraint journal_entries_reason check ((char_length(reason) >= 5)),
  constraint journal_entries_reversal check (((kind = 'reversal') = (reverses is not null))),
  constraint journal_entries_reverses foreign key (reverses) references journal_entries(id),
  constraint journal_entries_rule foreign key (rule_id) references line_rules(id),
  constraint journal_entries_two_people check ((approved_by <> proposed_by)),
  constraint journal_entries_approved_later check (((approved_by is null) or (proposed_by is not null)))
);
create index journal_entries_by_rule on journal_entries (rule_id, id) where ((rule_id is not null) and (reversed_at is null));
create index journal_entries_refunds on journal_entries (id) where (kind = 'refund_unexplained');
create unique index journal_entries_reversed_once on journal_entries (reverses);
create unique index journal_entries_one_opening on journal_entries ((((details -> 'terms') ->> 'accountId'))) where ((kind = 'opening_balance') and (reversed_at is null));
create index journal_entries_receivables on journal_entries (id) where ((kind = 'receivable') and (reversed_at is null));
create index journal_entries_uses_of_rests on journal_entries ((((details -> 'terms') ->> 'restOf'))) where (((details -> 'terms') ->> 'restOf') is not null);
create index journal_entries_with_rest on journal_entries (id) where ((reversed_at is null) and (((details -> 'terms') ->> 'rest') is not null));
create trigger journal_entries_never_deleted before delete on journal_entries for each row execute function refuse_change();
create trigger journal_entries_never_emptied before truncate on journal_entries for each statement execute function refuse_change();
create trigger journal_entries_terms_fixed before update on journal_entries
  for each row
  when (((old.id is distinct from new.id) or (old.kind is distinct from new.kind) or ((old.details)::text is distinct from (new.details)::text) or (old.reason is distinct from new.reason) or (old.proposed_by is distinct from new.proposed_by) or (old.proposed_at is distinct from new.proposed_at) or (old.reverses is distinct from new.reverses) or (old.rule_id is distinct from new.rule_id) or (old.approved_by is distinct from new.approved_by) or (old.posted_at is distinct from new.posted_at) or ((old.reversed_at is not null) and (old.reversed_at is distinct from new.reversed_at))))
  execute function refuse_change_of_terms();

-- Statements that came as files. The original is kept, so that an interrupted import goes on from it and an auditor can read it.
create table statement_files (
  id text collate "C" not null,
  connection text collate "C" not null,
  name text not null,
  sha256 text collate "C" not null,
  size int not null,
  format text not null,
  profile json,
  account_iban text,
  state text not null,
  checks json not null,
  accepted_why text,
  lines int,
  pending int,
  unread int,
  created_by text not null,
  created_at timestamptz not null,
  imported_at timestamptz,
  undone_by text,
  undone_at timestamptz,
  undone_why text,
  approved_lines bytea,
  approved_sha256 text,
  stopped_why text,
  constraint statement_files_pkey primary key (id),
  constraint statement_files_imported check (((state <> 'imported') or (num_nonnulls(imported_at, lines, pending, unread) = 4))),
  constraint statement_files_known_format check ((format in ('camt.052', 'camt.053', 'camt.054', 'mt940', 'mt942', 'csv', 'xlsx'))),
  constraint statement_files_known_state check ((state in ('storing', 'importing', 'imported', 'undone'))),
  constraint statement_files_undone check ((num_nonnulls(undone_by, undone_at, undone_why) =
case state
    when 'undone' then 3
    else 0
end))
);
create unique index statement_files_once on statement_files (sha256) where (state <> 'undone');
create index statement_files_interrupted on statement_files (created_at) where (state = 'importing');

-- What a bank says has moved on an account in a period. A feed gives no statements of its own: its lines make one for each account and
-- booking day in Istanbul. `connection` is the source of its lines.
create table statements (
  id text collate "C" not null,
  collecting_account_id text collate "C" not null,
  connection text collate "C" not null,
  from_day date not null,
  to_day date not null,
  opening_balance bigint,
  closing_balance bigint,
  created_at timestamptz not null,
  balances_file_id text collate "C",
  newest_line_at timestamptz not null default '-infinity'::timestamptz,
  constraint statements_pkey primary key (id),
  constraint statements_account foreign key (collecting_account_id) references collecting_accounts(id),
  constraint statements_balances_file foreign key (balances_file_id) references statement_files(id),
  constraint statements_once unique (collecting_account_id, from_day, to_day, connection),
  constraint statements_period check ((from_day <= to_day))
);
create index statements_by_day on statements (from_day, id);
create index statements_by_newest_line on statements (newest_line_at);

-- Lines of bank statements, from whatever source, each once.
create table bank_lines (
  id text collate "C" not null,
  collecting_account_id text collate "C" not null,
  natural_key text collate "C" not null,
  occurrence int not null,
  source text not null,
  bank_reference text,
  amount bigint not null,
  currency text not null,
  direction text not null,
  value_date date not null,
  booked_at timestamptz not null,
  sender_name text not null,
  sender_iban text,
  narrative text not null,
  state text not null,
  reason text,
  created_at timestamptz not null,
  decided_at timestamptz,
  for_payouts boolean not null default false,
  corrects_line_id text collate "C",
  candidate_withdrawal_id text collate "C",
  statement_id text collate "C" not null,
  booked_unexplained boolean not null default false,
  statement_file_id text collate "C",
  batch_reference text,
  whole_day boolean not null default false,
  shown_by_connection boolean not null default false,
  confirmed_by text collate "C" default 'source',
  mark text,
  constraint bank_lines_pkey primary key (id),
  constraint bank_lines_booked_debit check (((not booked_unexplained) or (direction = 'debit'))),
  constraint bank_lines_collecting_account_id_fkey foreign key (collecting_account_id) references collecting_accounts(id),
  constraint bank_lines_corrects foreign key (corrects_line_id) references bank_lines(id),
  constraint bank_lines_decided check (((state = 'new') = (decided_at is null))),
  constraint bank_lines_known_direction check ((direction in ('credit', 'debit'))),
  constraint bank_lines_known_state check ((state in ('new', 'matched', 'suspense', 'needs_review', 'dismissed'))),
  constraint bank_lines_once unique (collecting_account_id, natural_key, occurrence),
  constraint bank_lines_positive check ((amount > 0)),
  constraint bank_lines_statement foreign key (statement_id) references statements(id),
  constraint bank_lines_statement_file foreign key (statement_file_id) references statement_files(id)
);
create index bank_lines_to_match on bank_lines (id) where (state = 'new');
create index bank_lines_by_day on bank_lines (value_date, collecting_account_id) where (direction = 'credit');
create index bank_lines_of_payouts on bank_lines (id) where ((state = 'new') and for_payouts);
create index bank_lines_by_number on bank_lines (collecting_account_id, bank_reference) where (bank_reference is not null);
create index bank_lines_by_candidate on bank_lines (candidate_withdrawal_id) where (candidate_withdrawal_id is not null);
create index bank_lines_debits on bank_lines (collecting_account_id) where (direction = 'debit');
create index bank_lines_by_state on bank_lines (state, id) where (state in ('suspense', 'dismissed'));
create index bank_lines_by_amount on bank_lines (amount, id);
create index bank_lines_by_iban on bank_lines (reverse(sender_iban) collate "C", id) where (sender_iban is not null);
create index bank_lines_by_statement on bank_lines (statement_id);
create index bank_lines_to_review on bank_lines (direction, booked_at) where (state = 'needs_review');
create index bank_lines_review_pages on bank_lines (id) where (state = 'needs_review');
create index bank_lines_open_naming on bank_lines using gin (ids_in(narrative)) with (fastupdate=off) where ((state in ('new', 'needs_review', 'suspense')) and (ids_in(narrative) <> '{}'));
create index bank_lines_debits_to_book on bank_lines (id) where ((direction = 'debit') and (booked_unexplained <> (state = 'needs_review')));
create index bank_lines_in_suspense on bank_lines (booked_at) where (state = 'suspense');
create index bank_lines_by_file on bank_lines (statement_file_id, id) where (statement_file_id is not null);
create index bank_lines_by_batch on bank_lines (collecting_account_id, batch_reference) where (batch_reference is not null);
create index bank_lines_of_files_by_amount on bank_lines (statement_file_id, amount, bank_reference) where (statement_file_id is not null);
create index bank_lines_by_corrected on bank_lines (corrects_line_id) where (corrects_line_id is not null);
create index bank_lines_open_by_amount on bank_lines (amount, id) where (state in ('suspense', 'needs_review'));
create index bank_lines_by_entries on bank_lines using gin (search_entries(substr(id, 1, 3), amount, sender_name)) with (fastupdate=off);
create index bank_lines_unconfirmed_money on bank_lines (id) where ((confirmed_by is null) and (direction = 'credit') and (state = 'matched'));
create index bank_lines_unconfirmed on bank_lines (booked_at, id) where ((confirmed_by is null) and (state <> 'dismissed'));
create constraint trigger bank_lines_matched_in_full after update on bank_lines
  deferrable initially deferred for each row
  when (((old.state <> new.state) and ('matched' in (old.state, new.state))))
  execute function check_line_parts('id');

-- Every decision about a day: a proposal with the figures that its author saw, and what a second person made of it.
create table book_decisions (
  id text collate "C" not null,
  day date not null,
  action text not null,
  proposed_by text not null,
  operator text not null,
  figures_hash text not null,
  figures json not null,
  reason text,
  decided_at timestamptz not null,
  takes_back text collate "C",
  constraint book_decisions_pkey primary key (id),
  constraint book_decisions_known_action check ((action in ('close', 'reopen'))),
  constraint book_decisions_operator foreign key (operator) references operators(name),
  constraint book_decisions_proposed_by foreign key (proposed_by) references operators(name),
  constraint book_decisions_reopened_once unique (takes_back),
  constraint book_decisions_takes_back foreign key (takes_back) references book_decisions(id),
  constraint book_decisions_takes_back_a_close check (((action = 'reopen') = (takes_back is not null))),
  constraint book_decisions_two_people check ((operator <> proposed_by)),
  constraint book_decisions_why_reopened check (((action = 'close') or (char_length(reason) >= 5)))
);
create index book_decisions_by_day on book_decisions (day, decided_at);

-- Balances of ledger accounts at the end of a closed day; accounts with a balance of zero are left out.
create table book_balances (
  decision_id text collate "C" not null,
  account_id text collate "C" not null,
  balance bigint not null,
  constraint book_balances_pkey primary key (decision_id, account_id),
  constraint book_balances_decision foreign key (decision_id) references book_decisions(id)
);

-- The last proof of yesterday's books, by account, for metrics and routing.
create table book_checks (
  collecting_account_id text collate "C" not null,
  day date not null,
  unexplained bigint not null,
  checked_at timestamptz not null,
  proof text,
  balance_day date,
  accepted bigint not null default 0,
  bank_balance bigint,
  difference bigint,
  since date,
  constraint book_checks_pkey primary key (collecting_account_id),
  constraint book_checks_account foreign key (collecting_account_id) references collecting_accounts(id),
  constraint book_checks_known_proof check ((proof in ('balance', 'no_balance', 'not_proven', 'unused')))
);

-- Differences between bank and ledger that were open at the end of a closed day. `subject` is empty for what two people accepted
-- without naming a line or an entry.
create table book_differences (
  decision_id text collate "C" not null,
  collecting_account_id text collate "C" not null,
  subject text collate "C" not null,
  merchant_id text collate "C" not null,
  kind text not null,
  amount bigint not null,
  constraint book_differences_pkey primary key (decision_id, collecting_account_id, subject),
  constraint book_differences_decision foreign key (decision_id) references book_decisions(id)
);

-- What moved each merchant's money on a closed day, by kind of entry: a month is then read without its entries.
create table book_movements (
  decision_id text collate "C" not null,
  merchant_id text collate "C" not null,
  currency text not null,
  kind text not null,
  net bigint not null,
  fee bigint not null,
  constraint book_movements_pkey primary key (decision_id, merchant_id, currency, kind),
  constraint book_movements_decision foreign key (decision_id) references book_decisions(id)
);

-- Time travel of a sandbox: one row, shared by every process of the deployment. Empty means real time.
create table business_clock (
  only_row boolean not null default true,
  offset_seconds int not null,
  constraint business_clock_pkey primary key (only_row),
  constraint business_clock_one_row check (only_row)
);

-- `networks` may call for the merchant. `callback_networks`: private ones that callbacks may go to in live, allowed by two people, each with
-- its mark. `banks_off`: of the enabled banks, those that it does not offer. `settlement_every` and the columns
-- after it: when its balance is sent to its own account. Minutes and weekdays (1 is Monday) are those of Istanbul. `events_pruned_to`: up to
-- which place in its stream the worker has judged old events; what it kept there stays until `vezne prune`.
create table merchants (
  id text collate "C" not null,
  name text not null,
  demo boolean not null default false,
  requests_per_second int not null,
  return_origins text[] not null default '{}',
  created_at timestamptz not null,
  amount_policy text not null default 'exact',
  amount_tolerance bigint not null default 0,
  late_policy text not null default 'complete',
  name_check text not null default 'warn',
  display_name text,
  accent text,
  logo bytea,
  approval_threshold bigint,
  daily_withdraw_amount bigint,
  daily_withdraw_count int,
  daily_iban_amount bigint,
  daily_iban_count int,
  max_open_deposits int not null default 1000,
  frozen boolean not null default false,
  refunds_charged boolean not null default false,
  match_approval_from bigint,
  logo_dark bytea,
  logo_ink text,
  support_phone text,
  support_email text,
  support_address text,
  eft_deadline_hours int,
  setting_marks jsonb not null default '{}',
  networks text[] not null default '{}',
  callback_networks jsonb not null default '{}',
  banks_off text[] not null default '{}',
  settlement_every text,
  settlement_weekday int,
  settlement_minute int,
  settlement_minimum bigint,
  settlement_set_at timestamptz,
  events_pruned_to bigint,
  constraint merchants_pkey primary key (id),
  constraint merchants_accent check ((accent ~ '^#[0-9a-f]{6}$')),
  constraint merchants_amount_policy check ((amount_policy in ('exact', 'tolerance', 'accept_received'))),
  constraint merchants_amount_tolerance check ((amount_tolerance >= 0)),
  constraint merchants_eft_deadline_hours check (((eft_deadline_hours >= 1) and (eft_deadline_hours <= 48))),
  constraint merchants_known_logo_ink check ((logo_ink in ('light', 'dark', 'opaque'))),
  constraint merchants_late_policy check ((late_policy in ('complete', 'review'))),
  constraint merchants_match_approval_from check ((match_approval_from > 0)),
  constraint merchants_name_check check ((name_check in ('off', 'warn', 'require'))),
  constraint merchants_settlement_every check ((settlement_every in ('off', 'day', 'week'))),
  constraint merchants_settlement_minimum check ((settlement_minimum > 0)),
  constraint merchants_settlement_minute check (((settlement_minute >= 0) and (settlement_minute <= 1439))),
  constraint merchants_settlement_schedule check ((num_nulls(settlement_every, settlement_minute, settlement_minimum, settlement_set_at) in (0, 4))),
  constraint merchants_settlement_weekday check ((((settlement_every = 'week') is true) = (settlement_weekday is not null)) and ((settlement_weekday >= 1) and (settlement_weekday <= 7))),
  constraint merchants_small_dark_logo check ((octet_length(logo_dark) <= 32768)),
  constraint merchants_small_logo check ((octet_length(logo) <= 32768)),
  constraint merchants_some_open_deposits check ((max_open_deposits > 0)),
  constraint merchants_some_rate check ((requests_per_second > 0)),
  constraint merchants_withdraw_rules check ((least(approval_threshold, daily_withdraw_amount, (daily_withdraw_count)::bigint, daily_iban_amount, (daily_iban_count)::bigint) > 0))
);
create unique index merchants_one_demo on merchants (demo) where demo;
create trigger merchants_no_demo_in_live before insert or update of demo on merchants
  for each row
  when (new.demo)
  execute function refuse_demo_in_live();

create table callback_endpoints (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  url text,
  created_at timestamptz not null,
  description text not null default '',
  event_types text[] not null default '{}',
  state text not null default 'enabled',
  state_reason text,
  max_concurrent int not null default 10,
  max_per_second int not null default 100,
  constraint callback_endpoints_pkey primary key (merchant_id, id),
  constraint callback_endpoints_known_state check ((state in ('enabled', 'disabled', 'removed'))),
  constraint callback_endpoints_merchant_id_fkey foreign key (merchant_id) references merchants(id),
  constraint callback_endpoints_off_for_a_reason check (((state = 'enabled') = (state_reason is null))),
  constraint callback_endpoints_some_pace check (((max_concurrent > 0) and (max_per_second > 0)))
);

-- Two are live during a rotation: everything is signed with both until the old one ends.
create table callback_secrets (
  merchant_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  id text collate "C" not null,
  sealed text not null,
  created_at timestamptz not null,
  ends_at timestamptz,
  constraint callback_secrets_pkey primary key (merchant_id, endpoint_id, id),
  constraint callback_secrets_merchant_id_endpoint_id_fkey foreign key (merchant_id, endpoint_id) references callback_endpoints(merchant_id, id)
);

-- Changes of settings that one person proposes and another approves. Payload and description are canonical JSON: their hashes are what is approved.
create table proposals (
  id text collate "C" not null,
  kind text not null,
  target text collate "C" not null,
  merchant_id text collate "C",
  payload text not null,
  payload_sha256 text not null,
  description text not null,
  seen_sha256 text not null,
  reason text,
  proposed_by text not null,
  proposed_at timestamptz not null,
  state text not null default 'open',
  decided_by text,
  decided_at timestamptz,
  note text,
  constraint proposals_pkey primary key (id),
  constraint proposals_decided check (((state = 'open') = (decided_at is null))),
  constraint proposals_decided_by_someone check (((state in ('open', 'expired')) = (decided_by is null))),
  constraint proposals_known_state check ((state in ('open', 'applied', 'rejected', 'withdrawn', 'expired'))),
  constraint proposals_merchant foreign key (merchant_id) references merchants(id),
  constraint proposals_two_people check (((state <> 'applied') or (decided_by <> proposed_by)))
);
create index proposals_about on proposals (target);
create index proposals_to_expire on proposals (proposed_at) where (state = 'open');
create index proposals_by_merchant on proposals (merchant_id, id);
create trigger proposals_terms_fixed before update on proposals
  for each row
  when (((old.id is distinct from new.id) or (old.kind is distinct from new.kind) or (old.target is distinct from new.target) or (old.merchant_id is distinct from new.merchant_id) or ((old.payload is distinct from new.payload or old.description is distinct from new.description) and not (new.state <> 'open' and new.payload = 'null')) or (old.payload_sha256 is distinct from new.payload_sha256) or (old.seen_sha256 is distinct from new.seen_sha256) or (old.reason is distinct from new.reason) or (old.proposed_by is distinct from new.proposed_by) or (old.proposed_at is distinct from new.proposed_at) or (old.state <> 'open')))
  execute function refuse_all_but_erasing('target', 'reason note');

-- What each open proposal is about: at most one about a subject, of whatever kind. Rows go when it ends.
create table proposal_subjects (
  subject text collate "C" not null,
  proposal_id text collate "C" not null,
  kind text not null,
  proposed_by text not null,
  open_until timestamptz,
  constraint proposal_subjects_pkey primary key (subject)
);
create index proposal_subjects_by_proposal on proposal_subjects (proposal_id);

-- Lines that a source gave and that could not be taken in: unreadable, without the bank's number, or of an account that
-- is not ours. Kept as they came, so that a person sees them and nothing is lost when the source moves on.
create table unread_lines (
  source text not null,
  raw_hash text collate "C" not null,
  raw text not null,
  why jsonb not null,
  created_at timestamptz not null,
  taken_in_at timestamptz,
  taken_in_by text,
  uploaded_file_id text collate "C",
  closed_at timestamptz,
  closed_by text,
  close_reason text,
  -- What may be ids of withdrawals. In JSON a line break is written as two characters.
  named_ids text[] not null generated always as (ids_in(regexp_replace(raw, '\\(u[0-9a-fA-F]{4}|.)', '', 'g'))) stored,
  constraint unread_lines_pkey primary key (source, raw_hash),
  constraint unread_lines_close_reason check ((char_length(close_reason) >= 5)),
  constraint unread_lines_closed check ((((closed_at is null) = (closed_by is null)) and ((closed_at is null) = (close_reason is null)))),
  constraint unread_lines_file foreign key (uploaded_file_id) references statement_files(id)
);
create index unread_lines_open on unread_lines (created_at) where (taken_in_at is null);
create index unread_lines_naming on unread_lines using gin (named_ids) with (fastupdate=off) where ((taken_in_at is null) and (named_ids <> '{}'));
create index unread_lines_waiting on unread_lines (created_at) where ((taken_in_at is null) and ((why ->> 'why') not in ('unread_other_side', 'unread_amount_zero')));
create index unread_lines_to_retry on unread_lines (source, raw_hash) where (taken_in_at is null);
create index unread_lines_by_hash on unread_lines (raw_hash);

-- One event on its way to one endpoint. behind: an earlier event of its transaction is not through yet.
create table deliveries (
  merchant_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  transaction_id text collate "C" not null,
  type text not null,
  position bigint not null,
  state text not null,
  tries int not null default 0,
  since timestamptz not null,
  next_at timestamptz not null,
  last_outcome text,
  last_status int,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint deliveries_pkey primary key (merchant_id, event_id, endpoint_id),
  constraint deliveries_known_state check ((state in ('waiting', 'behind', 'given_up')))
) with (fillfactor=70);
create index deliveries_due on deliveries (merchant_id, endpoint_id, next_at, "position") where (state = 'waiting');
create index deliveries_open on deliveries (merchant_id, endpoint_id, transaction_id, "position") where (state in ('waiting', 'behind'));
create index deliveries_given_up on deliveries (merchant_id, "position") where (state = 'given_up');
create index deliveries_oldest on deliveries ((((merchant_id || '/') || endpoint_id)), created_at) where (state in ('waiting', 'behind'));

-- Every call that was made, for ever: what was answered, how long each part took.
create table delivery_attempts (
  merchant_id text collate "C" not null,
  event_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  number int not null,
  at timestamptz not null,
  connect_ms int not null,
  wait_ms int not null,
  read_ms int not null,
  outcome text not null,
  status int,
  problem text,
  answer text not null,
  constraint delivery_attempts_pkey primary key (merchant_id, event_id, endpoint_id, number),
  constraint delivery_attempts_known_outcome check ((outcome in ('accepted', '4xx', '5xx', 'redirect', 'timeout', 'tls', 'dns', 'refused')))
);

-- A claim is a row: a process may call about a delivery until `until`, and only the holder of the newest claim may record the result.
create table delivery_claims (
  merchant_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  number int not null,
  until timestamptz not null,
  constraint delivery_claims_pkey primary key (merchant_id, endpoint_id, event_id)
);

-- Whether the database is live, recorded once: VEZNE_MODE can be forgotten, and a sandbox makes money from nothing.
create table deployment (
  only_row boolean not null default true,
  mode text not null,
  recorded_at timestamptz not null,
  constraint deployment_pkey primary key (only_row),
  constraint deployment_known_mode check ((mode in ('sandbox', 'live'))),
  constraint deployment_one_row check (only_row)
);

-- Secrets of the deployment itself, sealed like those of merchants. Token keys are random, so they survive a new master key.
create table deployment_secrets (
  name text collate "C" not null,
  sealed text not null,
  created_at timestamptz not null,
  constraint deployment_secrets_pkey primary key (name)
);

create table deposits (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  process_id text collate "C" not null,
  amount bigint not null,
  currency text not null,
  status text not null,
  sequence int not null default 0,
  bank_id text collate "C",
  collecting_account_id text collate "C",
  customer_id text not null,
  customer_name text not null,
  customer_username text not null,
  metadata json,
  return_url text,
  language text not null,
  received_amount bigint not null default 0,
  fee bigint not null default 0,
  flags text[] not null default '{}',
  reason text,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  reference_code text collate "C" not null,
  version int not null default 0,
  claimed_at timestamptz,
  account_changed_at timestamptz,
  previous_account_ids text[] not null default '{}',
  requested_bank_id text,
  refunded_amount bigint not null default 0,
  taken_back_amount bigint not null default 0,
  duplicate_amount bigint not null default 0,
  handover_hash bytea,
  handover_until timestamptz,
  constraint deposits_pkey primary key (merchant_id, id),
  constraint deposits_known_language check ((language in ('tr', 'en'))),
  constraint deposits_known_status check ((status in ('pending', 'processing', 'completed', 'failed', 'expired', 'cancelled'))),
  constraint deposits_positive check (((amount > 0) and (received_amount >= 0) and (fee >= 0))),
  constraint deposits_process_id unique (merchant_id, process_id),
  constraint deposits_reference_code unique (reference_code),
  constraint deposits_refunded_within_received check (((refunded_amount >= 0) and (refunded_amount <= received_amount))),
  constraint deposits_taken_back_within_received check (((taken_back_amount >= 0) and (taken_back_amount <= received_amount)))
);
create index deposits_open_by_amount on deposits (collecting_account_id, amount, created_at) where (status in ('pending', 'processing', 'expired'));
create index deposits_by_amount on deposits (amount, id) where (status <> 'pending');
create index deposits_pending on deposits (merchant_id, expires_at) where (status = 'pending');
create index deposits_no_longer_pending on deposits ((((merchant_id || '/') || status)), id) where (status <> 'pending');
create index deposits_by_status_and_time on deposits (status, id, merchant_id) where (status <> 'pending');
create index deposits_by_entries on deposits using gin (((search_entries(substr(id, 1, 3), amount, ((((customer_id || ' ') || customer_name) || ' ') || customer_username)) || search_entries(((substr(id, 1, 3) || '/') || "right"(merchant_id, 6)), amount, ((((customer_id || ' ') || customer_name) || ' ') || customer_username))))) with (fastupdate=off) where (status <> 'pending');
create trigger deposits_terms_fixed before update of merchant_id, id, process_id, amount, currency, reference_code, created_at on deposits
  for each statement
  execute function refuse_change_of_terms();

-- What people found out about a payout whose outcome the bank would not tell. Two must agree, each with evidence.
create table doubt_decisions (
  merchant_id text collate "C" not null,
  withdrawal_id text collate "C" not null,
  submits int not null,
  operator text not null,
  verdict text not null,
  evidence text not null,
  decided_at timestamptz not null,
  number int not null default 1,
  constraint doubt_decisions_pkey primary key (merchant_id, withdrawal_id, submits, operator, verdict, number),
  constraint doubt_decisions_evidence check ((char_length(evidence) >=
case
    when (verdict = 'found') then 1
    else 5
end)),
  constraint doubt_decisions_known check ((verdict in ('found', 'not_found', 'never_paid', 'paid', 'withdrawn'))),
  constraint doubt_decisions_operator_fkey foreign key (operator) references operators(name)
);
create index doubt_decisions_by_reference on doubt_decisions (evidence) where (verdict = 'found');
create trigger doubt_decisions_append_only before update on doubt_decisions
  for each row
  execute function refuse_all_but_erasing('withdrawal_id', 'evidence');

create table endpoint_queues (
  merchant_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  wake_at timestamptz,
  failures int not null default 0,
  failing_since timestamptz,
  warned_at timestamptz,
  paused_until timestamptz,
  tokens float8 not null default 1000000,
  tokens_at timestamptz not null,
  last_claim int not null default 0,
  constraint endpoint_queues_pkey primary key (merchant_id, endpoint_id)
) with (fillfactor=50);

-- Bank lines that one person entered and another approved. Only erasing changes them.
create table entered_lines (
  line_id text collate "C" not null,
  collecting_account_id text collate "C" not null,
  direction text not null,
  amount bigint not null,
  booked_on date not null,
  sender_name text not null,
  sender_iban text,
  narrative text not null,
  besides text[] not null,
  reason text not null,
  proposed_by text not null,
  decided_by text not null,
  decided_at timestamptz not null,
  constraint entered_lines_pkey primary key (line_id),
  constraint entered_lines_account foreign key (collecting_account_id) references collecting_accounts(id),
  constraint entered_lines_decided_by foreign key (decided_by) references operators(name),
  constraint entered_lines_direction check ((direction in ('credit', 'debit'))),
  constraint entered_lines_line foreign key (line_id) references bank_lines(id),
  constraint entered_lines_positive check ((amount > 0)),
  constraint entered_lines_proposed_by foreign key (proposed_by) references operators(name),
  constraint entered_lines_reason check ((char_length(reason) >= 5)),
  constraint entered_lines_two_people check ((decided_by <> proposed_by))
);
create index entered_lines_of_account on entered_lines (collecting_account_id, amount);
create trigger entered_lines_terms_fixed before update on entered_lines
  for each row
  when (((old.line_id is distinct from new.line_id) or (old.collecting_account_id is distinct from new.collecting_account_id) or (old.direction is distinct from new.direction) or (old.amount is distinct from new.amount) or (old.booked_on is distinct from new.booked_on) or (old.besides is distinct from new.besides) or (old.reason is distinct from new.reason) or (old.proposed_by is distinct from new.proposed_by) or (old.decided_by is distinct from new.decided_by) or (old.decided_at is distinct from new.decided_at) or (((old.sender_name is distinct from new.sender_name) or (old.sender_iban is distinct from new.sender_iban) or (old.narrative is distinct from new.narrative)) and ((new.sender_name is distinct from '[erased]') or (new.narrative is distinct from '[erased]')))))
  execute function refuse_change_of_terms();

-- Who erased the personal data of which transaction, and why. One row per run that changed something; no personal data.
create table erasures (
  merchant_id text collate "C" not null,
  transaction_id text collate "C" not null,
  number int not null,
  kind text not null,
  asked_for text not null,
  operator text not null,
  reason text not null,
  despite_retention boolean not null,
  erased_at timestamptz not null,
  constraint erasures_pkey primary key (merchant_id, transaction_id, number),
  constraint erasures_asked_for check ((asked_for in ('customer', 'transaction'))),
  constraint erasures_known_kind check ((kind in ('deposit', 'withdrawal'))),
  constraint erasures_reason check ((char_length(reason) >= 5))
);

-- How many rows of each table it changed.
create table erased_rows (
  merchant_id text collate "C" not null,
  transaction_id text collate "C" not null,
  number int not null,
  table_name text not null,
  count int not null,
  constraint erased_rows_pkey primary key (merchant_id, transaction_id, number, table_name),
  constraint erased_rows_erasure foreign key (merchant_id, transaction_id, number) references erasures(merchant_id, transaction_id, number),
  constraint erased_rows_some check ((count > 0))
);

create table event_positions (
  last bigint not null
);

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
  for_endpoint text collate "C",
  written bigint not null generated always as identity,
  position bigint,
  erased_at timestamptz,
  constraint events_pkey primary key (merchant_id, id),
  constraint events_numbered_once unique (merchant_id, transaction_id, sequence)
);
create index events_to_distribute on events (written) where ("position" is null);
create unique index events_in_order on events (merchant_id, "position") where ("position" is not null);
create index events_by_type on events (merchant_id, type, "position") where ("position" is not null);

-- The central bank's cap per FAST transfer, by the day from which it holds. An operator adds the next one here.
create table fast_caps (
  effective_from date not null,
  amount bigint not null,
  constraint fast_caps_pkey primary key (effective_from),
  constraint fast_caps_positive check ((amount > 0))
);

-- Money set aside for a withdrawal, from its creation until it is paid out (posted) or given back (voided).
create table holds (
  merchant_id text collate "C" not null,
  subject_id text collate "C" not null,
  currency text not null,
  amount bigint not null,
  state text not null,
  created_at timestamptz not null,
  resolved_at timestamptz,
  constraint holds_pkey primary key (merchant_id, subject_id),
  constraint holds_known_state check ((state in ('pending', 'posted', 'voided'))),
  constraint holds_positive check ((amount > 0)),
  constraint holds_resolved_once check (((state = 'pending') = (resolved_at is null)))
);

-- What each statement of a file says. Written when all its lines are imported.
create table imported_statements (
  file_id text collate "C" not null,
  number int not null,
  collecting_account_id text collate "C" not null,
  format text not null,
  bank_id text,
  from_day date not null,
  to_day date not null,
  opening bigint,
  closing bigint,
  lines int not null,
  credits bigint not null,
  debits bigint not null,
  constraint imported_statements_pkey primary key (file_id, number),
  constraint imported_statements_account foreign key (collecting_account_id) references collecting_accounts(id),
  constraint imported_statements_file foreign key (file_id) references statement_files(id),
  constraint imported_statements_period check ((from_day <= to_day))
);
create index imported_statements_by_day on imported_statements (collecting_account_id, to_day);

create table journal_lines (
  journal_id text collate "C" not null,
  line_id text collate "C" not null,
  constraint journal_lines_pkey primary key (journal_id, line_id),
  constraint journal_lines_journal foreign key (journal_id) references journal_entries(id),
  constraint journal_lines_line foreign key (line_id) references bank_lines(id)
);
create index journal_lines_by_line on journal_lines (line_id);
create trigger journal_lines_append_only before delete or update on journal_lines for each row execute function refuse_change();
create trigger journal_lines_never_emptied before truncate on journal_lines for each statement execute function refuse_change();

-- One row. The last closed day, null while none is: entries of closed days are dated to the day after it. And when the ledger was checked last
-- and what was found: one process checks for all, and every process shows the result.
create table ledger_state (
  only_row boolean not null default true,
  closed_until date,
  check_started_at timestamptz,
  check_finished_at timestamptz,
  drifted int,
  constraint ledger_state_pkey primary key (only_row),
  constraint ledger_state_finished check (((check_finished_at is null) = (drifted is null))),
  constraint ledger_state_one_row check (only_row)
);

-- What the money of a bank line was for. A line may have several parts, which never sum to more than its amount. `journal_id`: the
-- entry whose reversal opens the line again; null if it is unmatched instead.
create table line_parts (
  line_id text collate "C" not null,
  kind text not null,
  subject text collate "C" not null,
  merchant_id text collate "C" not null,
  amount bigint not null,
  explained_at timestamptz not null,
  journal_id text collate "C",
  constraint line_parts_pkey primary key (line_id, kind, subject),
  constraint line_parts_journal foreign key (journal_id) references journal_entries(id),
  constraint line_parts_known_kind check ((kind in ('deposit', 'payout', 'payout_return', 'journal'))),
  constraint line_parts_line foreign key (line_id) references bank_lines(id),
  constraint line_parts_positive check ((amount > 0))
);
create index line_parts_by_subject on line_parts (subject);
create index line_parts_by_journal on line_parts (journal_id) where (journal_id is not null);
create constraint trigger line_parts_one_debit after insert or update on line_parts
  deferrable initially deferred for each row
  when ((new.kind = 'payout'))
  execute function check_payout_debits();
create constraint trigger line_parts_one_return after insert or update on line_parts
  deferrable initially deferred for each row
  when ((new.kind = 'payout_return'))
  execute function check_payout_returns();
create constraint trigger line_parts_within_line after insert or delete or update on line_parts
  deferrable initially deferred for each row
  execute function check_line_parts('line_id');

-- Failed attempts by what they are counted for; the key is a hash, because it has names and addresses.
create table login_failures (
  key text collate "C" not null,
  failures int not null,
  open_at timestamptz not null,
  last_at timestamptz not null,
  constraint login_failures_pkey primary key (key)
);
create index login_failures_by_time on login_failures (last_at);

create table login_invitations (
  id text collate "C" not null,
  token_hash text not null,
  audience text not null,
  name text not null,
  merchant_id text collate "C",
  role text,
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  mark text,
  code_mark text,
  constraint login_invitations_pkey primary key (id),
  constraint login_invitations_known_audience check ((audience in ('operator', 'merchant'))),
  constraint login_invitations_merchant foreign key (merchant_id) references merchants(id),
  constraint login_invitations_token unique (token_hash)
);
create index login_invitations_open on login_invitations (audience, name) where (accepted_at is null);

-- Who may log in to the consoles and the command line, what proves it, and their sessions.
create table logins (
  id text collate "C" not null,
  audience text not null,
  name text not null,
  operator text,
  merchant_id text collate "C",
  role text,
  password text not null,
  device_key text not null,
  created_at timestamptz not null,
  disabled_at timestamptz,
  mark text,
  recovery_codes text[] not null default '{}',
  constraint logins_pkey primary key (id),
  constraint logins_known_audience check ((audience in ('operator', 'merchant'))),
  constraint logins_known_role check ((role in ('owner', 'finance', 'developer', 'support'))),
  constraint logins_merchant foreign key (merchant_id) references merchants(id),
  constraint logins_of_one check (
case audience
    when 'operator' then ((operator is not null) and (operator = name) and (merchant_id is null) and (role is null))
    else ((operator is null) and (merchant_id is not null) and (role is not null))
end),
  constraint logins_operator foreign key (operator) references operators(name)
);
create unique index logins_once on logins (audience, name) where (disabled_at is null);
create index logins_of_merchant on logins (merchant_id) where (merchant_id is not null);

-- Why a line went where it went, and who said so. One row per decision; a person's comes after the matcher's.
create table match_decisions (
  line_id text collate "C" not null,
  number int not null,
  verdict text not null,
  why text not null,
  merchant_id text collate "C",
  deposit_id text collate "C",
  reasons json not null,
  suggestions json not null,
  decided_by text not null,
  decided_at timestamptz not null,
  constraint match_decisions_pkey primary key (line_id, number),
  constraint match_decisions_line_id_fkey foreign key (line_id) references bank_lines(id)
);
create index match_decisions_of_second_payments on match_decisions ((((suggestions -> 0) ->> 'depositId'))) where (why = 'duplicate');

-- What a merchant pays, by the moment from which it holds. A transaction pays by the terms in force when it was created.
create table merchant_fees (
  merchant_id text collate "C" not null,
  number int not null,
  effective_from timestamptz not null,
  deposit_bps int not null,
  deposit_fixed bigint not null,
  deposit_min bigint not null,
  deposit_max bigint,
  withdraw_bps int not null,
  withdraw_fixed bigint not null,
  withdraw_min bigint not null,
  withdraw_max bigint,
  set_by text,
  created_at timestamptz not null,
  constraint merchant_fees_pkey primary key (merchant_id, number),
  constraint merchant_fees_amounts check ((least(deposit_fixed, deposit_min, deposit_max, withdraw_fixed, withdraw_min, withdraw_max) >= 0)),
  constraint merchant_fees_merchant foreign key (merchant_id) references merchants(id),
  constraint merchant_fees_share check (((deposit_bps >= 0) and (deposit_bps <= 10000) and ((withdraw_bps >= 0) and (withdraw_bps <= 10000))))
);

create table merchant_keys (
  api_key text collate "C" not null,
  merchant_id text collate "C" not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  constraint merchant_keys_pkey primary key (api_key),
  constraint merchant_keys_merchant_id_fkey foreign key (merchant_id) references merchants(id)
);
create index merchant_keys_by_merchant on merchant_keys (merchant_id);

-- Two secrets of one key are live during a rotation; the older one ends by itself.
create table merchant_secrets (
  api_key text collate "C" not null,
  id text collate "C" not null,
  sealed text not null,
  created_at timestamptz not null,
  ends_at timestamptz,
  last_used_at timestamptz,
  constraint merchant_secrets_pkey primary key (api_key, id),
  constraint merchant_secrets_api_key_fkey foreign key (api_key) references merchant_keys(api_key)
);

-- Payouts that leave in a file. The exact bytes are stored with the batch, before any file is written.
create table payout_batches (
  id text collate "C" not null,
  connection text collate "C" not null,
  source_account_id text collate "C" not null,
  state text not null,
  folder text not null,
  file_name text not null,
  staged_name text,
  format text not null,
  sha256 text not null,
  content bytea,
  orders int not null,
  amount bigint not null,
  currency text not null,
  problem jsonb,
  created_at timestamptz not null,
  released_at timestamptz,
  fetched_at timestamptz,
  cancelled_by text,
  cancel_reason text,
  hold_until timestamptz,
  cancelled_at timestamptz,
  mark text,
  constraint payout_batches_pkey primary key (id),
  constraint payout_batches_cancelled_by check (((state not in ('cancelling', 'cancelled')) or (cancelled_by is not null))),
  constraint payout_batches_file_once unique (connection, file_name),
  constraint payout_batches_known_state check ((state in ('cut', 'staged', 'released', 'fetched', 'cancelling', 'cancelled'))),
  constraint payout_batches_some check (((orders > 0) and (amount > 0))),
  constraint payout_batches_source foreign key (source_account_id) references collecting_accounts(id)
);
create index payout_batches_in_work on payout_batches (created_at) where (state in ('cut', 'staged', 'released', 'cancelling'));
create index payout_batches_fetched on payout_batches (fetched_at) where (state = 'fetched');
create index payout_batches_by_time on payout_batches (created_at);
create index payout_batches_by_state on payout_batches (state, created_at);
create trigger payout_batches_content_fixed before update of content on payout_batches
  for each row
  when (((new.content is not null) and (new.content is distinct from old.content)))
  execute function refuse_change_of_terms();
create trigger payout_batches_terms_fixed before update of id, connection, source_account_id, folder, file_name, format, sha256, orders, amount, currency, created_at on payout_batches
  for each statement
  execute function refuse_change_of_terms();

-- What a bank reports about order files (pain.002), as received.
create table order_reports (
  id text collate "C" not null,
  connection text collate "C" not null,
  name text not null,
  sha256 text not null,
  content bytea,
  batch_id text collate "C",
  message_id text,
  received_at timestamptz not null,
  applied_at timestamptz,
  constraint order_reports_pkey primary key (id),
  constraint order_reports_batch foreign key (batch_id) references payout_batches(id),
  constraint order_reports_once unique (connection, sha256)
);
create index order_reports_to_apply on order_reports (received_at) where (applied_at is null);
create index order_reports_by_batch on order_reports (batch_id) where (batch_id is not null);
create index order_reports_without_batch on order_reports (received_at) where (batch_id is null);
create trigger order_reports_content_fixed before update of content on order_reports
  for each row
  when (((new.content is not null) and (new.content is distinct from old.content)))
  execute function refuse_change_of_terms();
create trigger order_reports_terms_fixed before update of id, connection, name, sha256, batch_id, message_id, received_at on order_reports
  for each statement
  execute function refuse_change_of_terms();

-- What a report says about one item, and what followed: settled, failed, pending, doubt, contradicts, known, unknown.
create table order_report_items (
  report_id text collate "C" not null,
  end_to_end_id text collate "C" not null,
  status text,
  outcome text not null,
  why jsonb,
  judged_at timestamptz not null,
  constraint order_report_items_pkey primary key (report_id, end_to_end_id),
  constraint order_report_items_known check ((outcome in ('settled', 'failed', 'pending', 'doubt', 'contradicts', 'known', 'unknown'))),
  constraint order_report_items_report foreign key (report_id) references order_reports(id)
);
create index order_report_items_contradicting on order_report_items (judged_at) where (outcome in ('contradicts', 'unknown'));

create table passkey_challenges (
  challenge_hash text not null,
  purpose text not null,
  login_id text collate "C",
  expires_at timestamptz not null,
  constraint passkey_challenges_pkey primary key (challenge_hash),
  constraint passkey_challenges_known_purpose check ((purpose in ('register', 'log_in', 'prove'))),
  constraint passkey_challenges_login foreign key (login_id) references logins(id)
);
create index passkey_challenges_by_end on passkey_challenges (expires_at);

create table passkeys (
  id text collate "C" not null,
  login_id text collate "C" not null,
  public_key text not null,
  counter numeric(10,0) not null,
  transports text[] not null,
  label text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  mark text,
  constraint passkeys_pkey primary key (id),
  constraint passkeys_bounded_label check (((length(label) >= 1) and (length(label) <= 60))),
  constraint passkeys_login foreign key (login_id) references logins(id)
);
create index passkeys_of_login on passkeys (login_id);

-- Deposits that a merchant's staff made by hand in its console. Written before the deposit, which has the same processId; all else
-- is in the deposit.
create table payment_links (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  made_by text not null,
  made_at timestamptz not null,
  constraint payment_links_pkey primary key (merchant_id, id),
  constraint payment_links_merchant foreign key (merchant_id) references merchants(id)
);

-- One payout per withdrawal, for ever: its reference at the bank is the withdrawal's id. Written before the bank is called.
create table payouts (
  merchant_id text collate "C" not null,
  withdrawal_id text collate "C" not null,
  source_account_id text collate "C" not null,
  connection text not null,
  rail text not null,
  amount bigint not null,
  currency text not null,
  iban text not null,
  account_name text not null,
  description text not null,
  purpose_code text not null,
  state text not null,
  fence int not null default 0,
  lease_until timestamptz,
  next_at timestamptz not null,
  submits int not null default 0,
  asks int not null default 0,
  bank_reference text,
  reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  debit_line_id text collate "C",
  credit_line_id text collate "C",
  unknown_since timestamptz,
  sent_at timestamptz,
  mark text,
  constraint payouts_pkey primary key (merchant_id, withdrawal_id),
  constraint payouts_described check ((char_length(description) >= 20)),
  constraint payouts_known_state check ((state in ('ready', 'calling', 'asking', 'sent', 'failed', 'returned'))),
  constraint payouts_positive check ((amount > 0)),
  constraint payouts_source_account_id_fkey foreign key (source_account_id) references collecting_accounts(id)
);
create unique index payouts_reference on payouts (withdrawal_id);
create index payouts_due on payouts (next_at) where (state in ('ready', 'calling', 'asking'));
create index payouts_in_flight on payouts (source_account_id) where (state in ('ready', 'calling', 'asking'));
create index payouts_by_merchant_and_day on payouts (merchant_id, created_at);
create index payouts_without_debit on payouts (updated_at) where ((state in ('sent', 'returned')) and (debit_line_id is null));
create index payouts_by_day on payouts (created_at);
create index payouts_by_state on payouts (state, created_at) where (state <> 'sent');
create index payouts_without_credit on payouts (updated_at) where ((state = 'returned') and (credit_line_id is null));
create index payouts_by_amount on payouts (amount, created_at);
create trigger payouts_terms_fixed before update of merchant_id, withdrawal_id, source_account_id, connection, amount, currency, iban, account_name on payouts
  for each row
  execute function refuse_all_but_erasing('withdrawal_id', 'iban account_name');

-- The end-to-end id of an item is its withdrawal's id.
create table payout_batch_items (
  batch_id text collate "C" not null,
  number int not null,
  merchant_id text collate "C" not null,
  withdrawal_id text collate "C" not null,
  cancelled boolean not null default false,
  constraint payout_batch_items_pkey primary key (batch_id, number),
  constraint payout_batch_items_batch foreign key (batch_id) references payout_batches(id),
  constraint payout_batch_items_payout foreign key (merchant_id, withdrawal_id) references payouts(merchant_id, withdrawal_id)
);
create unique index payout_batch_items_one_live on payout_batch_items (withdrawal_id) where (not cancelled);
create index payout_batch_items_by_withdrawal on payout_batch_items (withdrawal_id);
create trigger payout_batch_items_stay_cancelled before update of cancelled on payout_batch_items
  for each row
  when ((old.cancelled and (not new.cancelled)))
  execute function refuse_change_of_terms();
create trigger payout_batch_items_terms_fixed before update of batch_id, number, merchant_id, withdrawal_id on payout_batch_items
  for each statement
  execute function refuse_change_of_terms();

-- Every word exchanged with the bank about a payout.
create table payout_calls (
  merchant_id text collate "C" not null,
  withdrawal_id text collate "C" not null,
  number int not null,
  kind text not null,
  outcome text not null,
  detail jsonb,
  called_at timestamptz not null,
  constraint payout_calls_pkey primary key (merchant_id, withdrawal_id, number)
);
create trigger payout_calls_append_only before update on payout_calls
  for each row
  execute function refuse_all_but_erasing('withdrawal_id', 'detail');

-- Addresses that signed correctly and are not on the merchant's list.
create table rejected_addresses (
  merchant_id text collate "C" not null,
  address text not null,
  times bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  constraint rejected_addresses_pkey primary key (merchant_id, address),
  constraint rejected_addresses_merchant foreign key (merchant_id) references merchants(id)
);

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
  constraint restores_released_by_someone check (((released_at is null) = (released_by is null)))
);
create unique index restores_one_open on restores (((released_at is null))) where (released_at is null);

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
  constraint saved_views_bounded unique (login_id, number),
  constraint saved_views_known_number check (((number >= 1) and (number <= 20))),
  constraint saved_views_login foreign key (login_id) references logins(id),
  constraint saved_views_name_once unique (login_id, name),
  constraint saved_views_short check (((char_length(name) >= 1) and (char_length(name) <= 60) and (char_length(query) <= 500)))
);

-- One row about what was handed to banks. Every claim counts `number` up. A process that has seen a higher one is on an older copy of the
-- database, and so may be one on another timeline, unless a synchronous standby had everything. `id` is the same in all copies.
create table sending (
  only_row boolean not null default true,
  id uuid not null default gen_random_uuid(),
  number bigint not null default 0,
  timeline text not null,
  at timestamptz not null,
  since timestamptz not null,
  confirmed_by text[] not null default '{}',
  constraint sending_pkey primary key (only_row),
  constraint sending_counts_up check ((number >= 0)),
  constraint sending_one_row check (only_row)
);

create table sessions (
  id text collate "C" not null,
  token_hash text not null,
  login_id text collate "C" not null,
  kind text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  idle_seconds int not null,
  ends_at timestamptz not null,
  second_factor_at timestamptz,
  stepped_up_at timestamptz,
  address text,
  user_agent text,
  revoked_at timestamptz,
  mark text,
  constraint sessions_pkey primary key (id),
  constraint sessions_bounded_texts check (((length(address) <= 64) and (length(user_agent) <= 200))),
  constraint sessions_known_kind check ((kind in ('browser', 'command_line'))),
  constraint sessions_login foreign key (login_id) references logins(id),
  constraint sessions_token unique (token_hash)
);
create index sessions_of_login on sessions (login_id);
create index sessions_by_end on sessions (ends_at);

-- Rows that a worker could not process alone, with the error. The worker leaves them out until `retry_at`, so that its other rows go on.
create table set_aside (
  what text not null,
  id text collate "C" not null,
  error text not null,
  failures int not null,
  since timestamptz not null,
  retry_at timestamptz not null,
  constraint set_aside_pkey primary key (what, id),
  constraint set_aside_known_what check ((what in ('withdrawal', 'payout', 'deposit', 'line', 'event', 'callback', 'refund', 'settlement')))
);

-- The merchant's own account. The newest is in force. Proposals are in merchant_changes.
create table settlement_accounts (
  merchant_id text collate "C" not null,
  number int not null,
  iban text not null,
  title text not null,
  proposed_by text not null,
  confirmed_by text not null,
  confirmed_at timestamptz not null,
  mark text not null,
  constraint settlement_accounts_pkey primary key (merchant_id, number),
  constraint settlement_accounts_confirmer foreign key (confirmed_by) references operators(name),
  constraint settlement_accounts_merchant foreign key (merchant_id) references merchants(id),
  constraint settlement_accounts_proposer foreign key (proposed_by) references operators(name),
  constraint settlement_accounts_two_people check ((proposed_by <> confirmed_by))
);

-- Each settlement, also a scheduled one that sent nothing because the balance was below the minimum.
create table settlements (
  merchant_id text collate "C" not null,
  day date not null,
  number int not null,
  requested_by text,
  amount bigint not null,
  withdrawal_id text collate "C",
  created_at timestamptz not null,
  constraint settlements_pkey primary key (merchant_id, day, number),
  constraint settlements_merchant foreign key (merchant_id) references merchants(id),
  constraint settlements_sent check ((((withdrawal_id is null) and (amount = 0) and (requested_by is null)) or ((withdrawal_id is not null) and (amount > 0))))
);
create unique index settlements_one_scheduled on settlements (merchant_id, day) where (requested_by is null);

-- Signed requests that may not run again while their timestamp is valid: calls without a processId, and refused calls.
create table spent_requests (
  merchant_id text collate "C" not null,
  signature text collate "C" not null,
  received_at timestamptz not null,
  expires_at timestamptz not null,
  refusal json,
  constraint spent_requests_pkey primary key (merchant_id, signature)
);
create index spent_requests_to_prune on spent_requests (expires_at);

-- How far each source has been read.
create table statement_cursors (
  source text not null,
  cursor text not null,
  read_at timestamptz,
  constraint statement_cursors_pkey primary key (source)
);

-- Pieces of the original, each compressed with gzip.
create table statement_file_parts (
  file_id text collate "C" not null,
  number int not null,
  data bytea not null,
  constraint statement_file_parts_pkey primary key (file_id, number),
  constraint statement_file_parts_file foreign key (file_id) references statement_files(id)
);

-- Visible changes of deposits and withdrawals, numbered without gaps.
create table status_history (
  merchant_id text collate "C" not null,
  transaction_id text collate "C" not null,
  sequence int not null,
  from_status text not null,
  to_status text not null,
  reason text,
  changed_at timestamptz not null,
  constraint status_history_pkey primary key (merchant_id, transaction_id, sequence)
);

create table totp_secrets (
  login_id text collate "C" not null,
  id text collate "C" not null,
  sealed text not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  last_step int not null default 0,
  constraint totp_secrets_pkey primary key (login_id, id),
  constraint totp_secrets_login foreign key (login_id) references logins(id)
);
create unique index totp_secrets_one_confirmed on totp_secrets (login_id) where (confirmed_at is not null);

create table transfers (
  merchant_id text collate "C" not null,
  subject_id text collate "C" not null,
  id text collate "C" not null,
  from_account text collate "C" not null,
  to_account text collate "C" not null,
  currency text not null,
  amount bigint not null,
  created_at timestamptz not null,
  entry_id text collate "C" not null,
  kind text not null,
  effective_on date not null,
  actor text not null,
  about_day date,
  constraint transfers_pkey primary key (merchant_id, subject_id, id),
  constraint transfers_about_earlier_day check ((about_day < effective_on)),
  constraint transfers_between_two check ((from_account <> to_account)),
  constraint transfers_from_account foreign key (from_account, currency) references accounts(id, currency),
  constraint transfers_known_kind check ((kind in ('withdrawal_hold', 'withdrawal_release', 'withdrawal_submission', 'withdrawal_settlement', 'withdrawal_refusal', 'withdrawal_return', 'deposit_settlement', 'deposit_reversal', 'suspense_receipt', 'suspense_clearing', 'suspense_reversal', 'debit_receipt', 'debit_clearing', 'journal_own_transfer', 'journal_bank_charge', 'journal_bank_tax', 'journal_interest', 'journal_receivable', 'journal_fee_withdrawal', 'journal_refund', 'journal_refund_failure', 'journal_storno', 'journal_own_funds', 'journal_opening_balance', 'journal_reversal', 'correction'))),
  constraint transfers_positive check ((amount > 0)),
  constraint transfers_to_account foreign key (to_account, currency) references accounts(id, currency)
);
create index transfers_by_day on transfers using brin (effective_on) with (autosummarize='on');
create trigger transfers_in_open_day after insert on transfers
  for each row
  when ((new.effective_on < ((new.created_at at time zone 'Europe/Istanbul'))::date))
  execute function refuse_closed_day();

-- Files that people have uploaded in a console and not decided about yet: a preview must outlive its request. They are deleted
-- after an hour. `owner`: whose they are, the operator or a merchant. A file without a hash is still being uploaded.
create table uploads (
  id text collate "C" not null,
  owner text collate "C" not null,
  purpose text not null,
  name text not null,
  size int not null default 0,
  sha256 text,
  created_at timestamptz not null,
  constraint uploads_pkey primary key (id)
);
create index uploads_by_owner on uploads (owner, purpose, id);
create index uploads_by_age on uploads (created_at);

create table upload_parts (
  upload_id text collate "C" not null,
  number int not null,
  data bytea not null,
  constraint upload_parts_pkey primary key (upload_id, number),
  constraint upload_parts_upload foreign key (upload_id) references uploads(id) on delete cascade
);

-- `stopped_by`: the person who rejected it, or stopped it before it was sent.
create table withdrawals (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  process_id text collate "C" not null,
  amount bigint not null,
  fee bigint not null,
  currency text not null,
  status text not null,
  sequence int not null default 0,
  bank_id text collate "C",
  iban text not null,
  account_name text not null,
  user_id text not null,
  user_name text not null,
  name text not null,
  failure_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  state text not null default 'queued',
  state_reason text,
  first_time_iban boolean not null default false,
  rail text,
  source_account_id text collate "C",
  scheduled_for timestamptz,
  bank_reference text,
  metadata json,
  refund_of text collate "C",
  refund_reason text,
  settlement boolean not null default false,
  approval_required boolean not null default false,
  approved_by text[],
  mark text,
  stopped_by text,
  stop_reason text,
  stopped_at timestamptz,
  constraint withdrawals_pkey primary key (merchant_id, id),
  constraint withdrawals_approved_by_two check (((cardinality(approved_by) = 2) and (approved_by[1] <> approved_by[2]))),
  constraint withdrawals_failed_for_a_reason check (((status = 'failed') = (failure_reason is not null))),
  constraint withdrawals_known_state check ((state in ('awaiting_approval', 'queued', 'sending', 'unknown', 'sent', 'returned', 'failed'))),
  constraint withdrawals_one_purpose check (((refund_of is null) or (not settlement))),
  constraint withdrawals_positive check (((amount > 0) and (fee >= 0))),
  constraint withdrawals_process_id unique (merchant_id, process_id),
  constraint withdrawals_stopped check ((num_nulls(stopped_by, stop_reason, stopped_at) in (0, 3))),
  constraint withdrawals_state_fits_status check ((status = case when state in ('awaiting_approval', 'queued') then 'pending' when state in ('sending', 'unknown') then 'processing' when state in ('sent', 'returned') then 'completed' when state = 'failed' then 'failed' end))
);
create index withdrawals_to_send on withdrawals (id) where (state = 'queued');
create index withdrawals_to_known_ibans on withdrawals (merchant_id, iban) where (status = 'completed');
create index withdrawals_by_state on withdrawals (state, id) where (state <> 'queued');
create index withdrawals_by_amount on withdrawals (amount, id) where (status <> 'pending');
create index withdrawals_by_iban on withdrawals (reverse(iban) collate "C", id) where (status <> 'pending');
create index withdrawals_no_longer_pending on withdrawals ((((merchant_id || '/') || status)), id) where (status <> 'pending');
create index withdrawals_refunds on withdrawals (merchant_id, refund_of) where (refund_of is not null);
create index withdrawals_by_entries on withdrawals using gin (((search_entries(substr(id, 1, 3), amount, ((((((user_id || ' ') || user_name) || ' ') || name) || ' ') || account_name)) || search_entries(((substr(id, 1, 3) || '/') || "right"(merchant_id, 6)), amount, ((((((user_id || ' ') || user_name) || ' ') || name) || ' ') || account_name))))) with (fastupdate=off) where (status <> 'pending');
create trigger withdrawals_end_without_payout before update of status on withdrawals
  for each row
  when (((old.status = 'pending') and (new.status = 'failed')))
  execute function refuse_end_with_payout();
create trigger withdrawals_terms_fixed before update of merchant_id, id, process_id, amount, fee, currency, iban, account_name, refund_of, refund_reason, settlement, approval_required on withdrawals
  for each row
  execute function refuse_all_but_erasing('id', 'iban account_name user_id user_name name metadata refund_reason stop_reason');
create trigger withdrawals_stop_fixed before update of stopped_by, stop_reason, stopped_at on withdrawals
  for each row
  when ((old.stopped_at is not null))
  execute function refuse_all_but_erasing('id', 'iban account_name user_id user_name name metadata refund_reason stop_reason');

-- Of what people said where two must agree: proposals and approvals, by the name of their row.
create table word_marks (
  name text collate "C" not null,
  mark text not null,
  constraint word_marks_pkey primary key (name)
);

-- What workers last did, for people who look: the service does not depend on it.
create table worker_runs (
  worker text collate "C" not null,
  every_ms int not null,
  succeeded_at timestamptz not null,
  host text not null,
  constraint worker_runs_pkey primary key (worker)
);

-- Bank lines with the day on which the bank booked them.
create view day_lines as
select l.id, l.collecting_account_id, s.from_day as day, case l.direction when 'credit' then l.amount else -l.amount end as amount,
  l.currency, l.direction, l.state, l.reason, l.statement_id
from bank_lines l join statements s on s.id = l.statement_id;

-- What merchants call their transactions, for exports.
create view transaction_numbers as
select merchant_id, id, 'deposit' as type, process_id from deposits
union all
select merchant_id, id, 'withdraw', process_id from withdrawals;

-- Rows are only added. One trigger for each table, before the statement, so that none is refused only for the rows that it finds.
do $$
declare
  name text;
begin
  foreach name in array array[
    'audit_entries', 'book_balances', 'book_decisions', 'book_differences', 'book_movements',
    'deployment', 'erased_rows', 'erasures', 'imported_statements',
    'match_decisions', 'merchant_fees', 'order_report_items', 'settlement_accounts',
    'settlements', 'statement_file_parts', 'status_history', 'transfers', 'word_marks'
  ] loop
    execute format('create trigger %1$s_append_only before update or delete or truncate on %1$s
      for each statement execute function refuse_change()', name);
  end loop;
  -- Rows stay; what of them may change says each table.
  foreach name in array array[
    'doubt_decisions', 'entered_lines', 'order_reports', 'payout_batch_items', 'payout_batches',
    'payout_calls', 'proposals', 'withdrawals'
  ] loop
    execute format('create trigger %1$s_never_deleted before delete or truncate on %1$s
      for each statement execute function refuse_change()', name);
  end loop;
end
$$;

revoke execute on function chain_audit() from public;

-- What every deployment begins with.
insert into audit_head (number, hash) values (0, decode(repeat('00', 32), 'hex'));
insert into audit_state default values;
insert into event_positions (last) values (0);
insert into ledger_state default values;
insert into sending (timeline, at, since) values (left(pg_walfile_name(pg_current_wal_lsn()), 8), clock_timestamp(), clock_timestamp());

-- The house: the institution's own money, as a merchant that pays nothing.
insert into merchants (id, name, requests_per_second, created_at) values (repeat('0', 24), 'House', 1, '2026-01-01');
insert into merchant_fees
  (merchant_id, number, effective_from, deposit_bps, deposit_fixed, deposit_min, withdraw_bps, withdraw_fixed, withdraw_min, created_at)
values (repeat('0', 24), 1, '2026-01-01', 0, 0, 0, 0, 0, 0, '2026-01-01');

insert into bank_holidays (day, name, half_day) values
  ('2026-01-01', 'Yılbaşı', false),
  ('2026-03-19', 'Ramazan Bayramı arifesi', true),
  ('2026-03-20', 'Ramazan Bayramı', false),
  ('2026-03-21', 'Ramazan Bayramı', false),
  ('2026-03-22', 'Ramazan Bayramı', false),
  ('2026-04-23', 'Ulusal Egemenlik ve Çocuk Bayramı', false),
  ('2026-05-01', 'Emek ve Dayanışma Günü', false),
  ('2026-05-19', 'Gençlik ve Spor Bayramı', false),
  ('2026-05-26', 'Kurban Bayramı arifesi', true),
  ('2026-05-27', 'Kurban Bayramı', false),
  ('2026-05-28', 'Kurban Bayramı', false),
  ('2026-05-29', 'Kurban Bayramı', false),
  ('2026-05-30', 'Kurban Bayramı', false),
  ('2026-07-15', 'Demokrasi ve Millî Birlik Günü', false),
  ('2026-08-30', 'Zafer Bayramı', false),
  ('2026-10-28', 'Cumhuriyet Bayramı arifesi', true),
  ('2026-10-29', 'Cumhuriyet Bayramı', false),
  ('2027-01-01', 'Yılbaşı', false),
  ('2027-03-08', 'Ramazan Bayramı arifesi', true),
  ('2027-03-09', 'Ramazan Bayramı', false),
  ('2027-03-10', 'Ramazan Bayramı', false),
  ('2027-03-11', 'Ramazan Bayramı', false),
  ('2027-04-23', 'Ulusal Egemenlik ve Çocuk Bayramı', false),
  ('2027-05-01', 'Emek ve Dayanışma Günü', false),
  ('2027-05-15', 'Kurban Bayramı arifesi', true),
  ('2027-05-16', 'Kurban Bayramı', false),
  ('2027-05-17', 'Kurban Bayramı', false),
  ('2027-05-18', 'Kurban Bayramı', false),
  ('2027-05-19', 'Kurban Bayramı ve Gençlik ve Spor Bayramı', false),
  ('2027-07-15', 'Demokrasi ve Millî Birlik Günü', false),
  ('2027-08-30', 'Zafer Bayramı', false),
  ('2027-10-28', 'Cumhuriyet Bayramı arifesi', true),
  ('2027-10-29', 'Cumhuriyet Bayramı', false);

insert into fast_caps (effective_from, amount) values
  ('2021-01-08', 5000),
  ('2021-01-29', 100000),
  ('2021-08-04', 200000),
  ('2022-02-21', 500000),
  ('2023-12-21', 5000000),
  ('2024-04-04', 10000000);
