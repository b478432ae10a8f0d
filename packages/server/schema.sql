-- The whole schema, for reading. Written by `npm run schema` from the migrations; a test fails when it is stale.


CREATE OR REPLACE FUNCTION public.audit_field(given text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(octet_length(given) || ':' || given || ',', '-,')
$function$;

CREATE OR REPLACE FUNCTION public.chain_audit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.check_line_parts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.check_payout_debits()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.check_payout_returns()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.ids_in(written text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT COST 10000
AS $function$
  select coalesce(array_agg(distinct substr(run[1], i, 24)), '{}')
  from regexp_matches(
      regexp_replace(translate(left(written, 20000), 'ABCDEF', 'abcdef'), '[^0-9A-Za-z]', '', 'g'), '[0-9a-f]{24,}', 'g'
    ) as run,
    generate_series(1, length(run[1]) - 23) as i
$function$;

CREATE OR REPLACE FUNCTION public.refuse_all_but_erasing()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'table % is append-only', tg_table_name using errcode = 'restrict_violation';
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_change_of_terms()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'terms of % are fixed: %', tg_table_name, tg_name using errcode = 'restrict_violation';
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_closed_day()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock_shared(1651470187);
  if new.effective_on <= (select s.closed_until from ledger_state s) then
    raise exception 'The day % is closed: an entry is dated to the next open day.', new.effective_on
      using errcode = 'serialization_failure', table = 'transfers', constraint = 'transfers_in_open_day';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_demo_in_live()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from deployment d where d.mode = 'live') then
    raise exception 'merchants_no_demo_in_live: the database is live, and the secret of the demo merchant is no secret'
      using errcode = 'check_violation', constraint = 'merchants_no_demo_in_live', table = 'merchants';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_end_with_payout()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from payouts p where p.merchant_id = new.merchant_id and p.withdrawal_id = new.id) then
    raise exception 'withdrawal % has a payout', new.id
      using errcode = 'check_violation', constraint = 'withdrawals_end_without_payout', table = 'withdrawals';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.search_entries(prefix text, amount bigint, given text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array_to_tsvector(array_remove(string_to_array(prefix || '=' || amount::text || ' ' || prefix || replace(translate(
    lower(left(given, 500) collate "C"),
    'çğıöşüâîûÇĞİÖŞÜÂÎÛýþðÝÞÐáàäãåéèêëíìïóòôõúùñÁÀÄÃÅÉÈÊËÍÌÏÓÒÔÕÚÙÑ'
      || ' !"#$%&''()*+,-./:;<=>?@[\]^_`{|}~' || chr(9) || chr(10) || chr(13) || chr(160)
      || chr(774) || chr(775) || chr(776) || chr(770) || chr(807),
    'cgiosuaiucgiosuaiuisgisgaaaaaeeeeiiioooouunaaaaaeeeeiiioooouun' || repeat(' ', 37)
  ), ' ', ' ' || prefix), ' '), prefix))
$function$;

CREATE OR REPLACE FUNCTION public.search_marked(spans text[], marks text[])
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select string_agg('''' || span || mark || '''', ' | ')::tsquery from unnest(spans) as span, unnest(marks) as mark
$function$;

CREATE OR REPLACE FUNCTION public.search_prefixes(oldest text, newest text, merchant_id text)
 RETURNS SETOF text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array(select span || coalesce('/' || right(merchant_id, 6), '') from unnest(spans) as span)
  from search_steps(oldest, newest) as spans
$function$;

CREATE OR REPLACE FUNCTION public.search_query(given text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select string_agg('''' || word || '''' || case when place = cardinality(words) and length(word) >= 3 then ':*' else '' end, ' & ')::tsquery
  from search_tokens(given) as words, unnest(words) with ordinality as one (word, place)
$function$;

CREATE OR REPLACE FUNCTION public.search_query(given text, spans text[])
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select string_agg('(' || replace(pattern.words, '~', span) || ')', ' | ')::tsquery from unnest(spans) as span, (
    select string_agg('''~' || word || '''' || case when place = cardinality(words) and length(word) >= 3 then ':*' else '' end, ' & ') as words
    from (select (search_tokens(given))[1:8] as words) as all_words, unnest(words) with ordinality as w (word, place)
  ) as pattern
$function$;

CREATE OR REPLACE FUNCTION public.search_steps(oldest text, newest text)
 RETURNS SETOF text[]
 LANGUAGE plpgsql
 IMMUTABLE STRICT
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.search_tokens(given text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select array_remove(string_to_array(translate(
    lower(left(given, 500) collate "C"),
    'çğıöşüâîûÇĞİÖŞÜÂÎÛýþðÝÞÐáàäãåéèêëíìïóòôõúùñÁÀÄÃÅÉÈÊËÍÌÏÓÒÔÕÚÙÑ'
      || ' !"#$%&''()*+,-./:;<=>?@[\]^_`{|}~' || chr(9) || chr(10) || chr(13) || chr(160)
      || chr(774) || chr(775) || chr(776) || chr(770) || chr(807),
    'cgiosuaiucgiosuaiuisgisgaaaaaeeeeiiioooouunaaaaaeeeeiiioooouun' || repeat(' ', 37)
  ), ' '), '')
$function$;

CREATE OR REPLACE FUNCTION public.search_words(given text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array_to_tsvector(array_remove(string_to_array(translate(
    lower(left(given, 500) collate "C"),
    'çğıöşüâîûÇĞİÖŞÜÂÎÛýþðÝÞÐáàäãåéèêëíìïóòôõúùñÁÀÄÃÅÉÈÊËÍÌÏÓÒÔÕÚÙÑ'
      || ' !"#$%&''()*+,-./:;<=>?@[\]^_`{|}~' || chr(9) || chr(10) || chr(13) || chr(160)
      || chr(774) || chr(775) || chr(776) || chr(770) || chr(807),
    'cgiosuaiucgiosuaiuisgisgaaaaaeeeeiiioooouunaaaaaeeeeiiioooouun' || repeat(' ', 37)
  ), ' '), ''))
$function$;

create table accounts (
  id text collate "C" not null,
  merchant_id text collate "C" not null,
  kind text not null,
  currency text not null,
  subject text collate "C" not null default ''::text,
  balance bigint not null default 0,
  lowest bigint not null default 0,
  mark text,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_exact_in_json CHECK (((balance >= '-9007199254740991'::bigint) AND (balance <= '9007199254740991'::bigint))),
  constraint accounts_id_currency UNIQUE (id, currency),
  constraint accounts_known_kind CHECK ((kind = ANY (ARRAY['merchant_available'::text, 'merchant_held'::text, 'fees'::text, 'payouts_in_transit'::text, 'bank_cash'::text, 'suspense'::text, 'unexplained_debits'::text, 'bank_charges'::text, 'bank_taxes'::text, 'interest'::text, 'receivables'::text, 'operator_funds'::text]))),
  constraint accounts_lowest CHECK ((lowest <= 0)),
  constraint accounts_never_negative CHECK (
CASE
    WHEN (kind = ANY (ARRAY['bank_cash'::text, 'interest'::text])) THEN true
    WHEN (kind = ANY (ARRAY['unexplained_debits'::text, 'bank_charges'::text, 'bank_taxes'::text, 'receivables'::text])) THEN (balance <= 0)
    ELSE (balance >= lowest)
END),
  constraint accounts_one_of_a_kind UNIQUE (merchant_id, kind, currency, subject)
) with (fillfactor=50);
CREATE TRIGGER accounts_terms_fixed BEFORE UPDATE OF id, merchant_id, kind, currency, subject ON public.accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_terms();

create table api_calls (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  at timestamp with time zone not null,
  method text not null,
  path text not null,
  status integer not null,
  code text,
  problem text,
  duration_ms integer not null,
  address text,
  request_id text not null,
  constraint api_calls_pkey PRIMARY KEY (merchant_id, id)
);

create table audit_entries (
  number integer not null,
  at timestamp with time zone not null,
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
  constraint audit_entries_pkey PRIMARY KEY (number),
  constraint audit_entries_from_one CHECK ((number > 0)),
  constraint audit_entries_sha256 CHECK (((octet_length(hash) = 32) AND (octet_length(previous_hash) = 32)))
);
CREATE INDEX audit_entries_by_action ON public.audit_entries USING btree (action, at, number);
CREATE INDEX audit_entries_by_actor ON public.audit_entries USING btree (actor, at, number);
CREATE INDEX audit_entries_by_subject ON public.audit_entries USING btree (subject, at, number);
CREATE INDEX audit_entries_by_time ON public.audit_entries USING btree (at, number);
CREATE UNIQUE INDEX audit_entries_mark_once ON public.audit_entries USING btree (mark) WHERE (mark ~~ '%.%'::text);
CREATE TRIGGER audit_entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table audit_head (
  only_row boolean not null default true,
  number integer not null,
  hash bytea not null,
  constraint audit_head_pkey PRIMARY KEY (only_row),
  constraint audit_head_one CHECK (only_row)
);
CREATE TRIGGER audit_head_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_head FOR EACH STATEMENT WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION refuse_change();

create table audit_pending (
  id integer not null generated always as identity,
  at timestamp with time zone not null,
  actor text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  reason text,
  origin jsonb not null,
  mark text,
  constraint audit_pending_pkey PRIMARY KEY (id),
  constraint audit_pending_chained TRIGGER DEFERRABLE INITIALLY DEFERRED
);
CREATE CONSTRAINT TRIGGER audit_pending_chained AFTER INSERT ON public.audit_pending DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chain_audit();

create table audit_state (
  only_row boolean not null default true,
  verified_at timestamp with time zone,
  verified_number integer,
  problem text,
  written_at timestamp with time zone,
  written_number integer,
  written_to text,
  constraint audit_state_pkey PRIMARY KEY (only_row),
  constraint audit_state_known_place CHECK ((written_to = ANY (ARRAY['file'::text, 'log'::text]))),
  constraint audit_state_one CHECK (only_row)
);

create table bank_holidays (
  day date not null,
  name text not null,
  half_day boolean not null,
  constraint bank_holidays_pkey PRIMARY KEY (day)
);

create table bank_limits (
  bank_id text collate "C" not null,
  currency text not null,
  min_amount bigint not null,
  max_amount bigint not null,
  constraint bank_limits_pkey PRIMARY KEY (bank_id, currency),
  constraint bank_limits_bank_id_fkey FOREIGN KEY (bank_id) REFERENCES banks(id),
  constraint bank_limits_range CHECK (((0 < min_amount) AND (min_amount <= max_amount) AND (max_amount <= '9007199254740991'::bigint)))
);

create table bank_lines (
  id text collate "C" not null,
  collecting_account_id text collate "C" not null,
  natural_key text collate "C" not null,
  occurrence integer not null,
  source text not null,
  bank_reference text,
  amount bigint not null,
  currency text not null,
  direction text not null,
  value_date date not null,
  booked_at timestamp with time zone not null,
  sender_name text not null,
  sender_iban text,
  narrative text not null,
  state text not null,
  reason text,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  for_payouts boolean not null default false,
  corrects_line_id text collate "C",
  candidate_withdrawal_id text collate "C",
  statement_id text collate "C" not null,
  booked_unexplained boolean not null default false,
  statement_file_id text collate "C",
  batch_reference text,
  whole_day boolean not null default false,
  shown_by_connection boolean not null default false,
  confirmed_by text collate "C" default 'source'::text,
  mark text,
  constraint bank_lines_pkey PRIMARY KEY (id),
  constraint bank_lines_booked_debit CHECK (((NOT booked_unexplained) OR (direction = 'debit'::text))),
  constraint bank_lines_collecting_account_id_fkey FOREIGN KEY (collecting_account_id) REFERENCES collecting_accounts(id),
  constraint bank_lines_corrects FOREIGN KEY (corrects_line_id) REFERENCES bank_lines(id),
  constraint bank_lines_decided CHECK (((state = 'new'::text) = (decided_at IS NULL))),
  constraint bank_lines_known_direction CHECK ((direction = ANY (ARRAY['credit'::text, 'debit'::text]))),
  constraint bank_lines_known_state CHECK ((state = ANY (ARRAY['new'::text, 'matched'::text, 'suspense'::text, 'needs_review'::text, 'dismissed'::text]))),
  constraint bank_lines_matched_in_full TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint bank_lines_once UNIQUE (collecting_account_id, natural_key, occurrence),
  constraint bank_lines_positive CHECK ((amount > 0)),
  constraint bank_lines_statement FOREIGN KEY (statement_id) REFERENCES statements(id),
  constraint bank_lines_statement_file FOREIGN KEY (statement_file_id) REFERENCES statement_files(id)
);
CREATE INDEX bank_lines_by_amount ON public.bank_lines USING btree (amount, id);
CREATE INDEX bank_lines_by_batch ON public.bank_lines USING btree (collecting_account_id, batch_reference) WHERE (batch_reference IS NOT NULL);
CREATE INDEX bank_lines_by_candidate ON public.bank_lines USING btree (candidate_withdrawal_id) WHERE (candidate_withdrawal_id IS NOT NULL);
CREATE INDEX bank_lines_by_corrected ON public.bank_lines USING btree (corrects_line_id) WHERE (corrects_line_id IS NOT NULL);
CREATE INDEX bank_lines_by_day ON public.bank_lines USING btree (value_date, collecting_account_id) WHERE (direction = 'credit'::text);
CREATE INDEX bank_lines_by_entries ON public.bank_lines USING gin (search_entries(substr(id, 1, 3), amount, sender_name)) WITH (fastupdate=off);
CREATE INDEX bank_lines_by_file ON public.bank_lines USING btree (statement_file_id, id) WHERE (statement_file_id IS NOT NULL);
CREATE INDEX bank_lines_by_iban ON public.bank_lines USING btree (reverse(sender_iban) COLLATE "C", id) WHERE (sender_iban IS NOT NULL);
CREATE INDEX bank_lines_by_number ON public.bank_lines USING btree (collecting_account_id, bank_reference) WHERE (bank_reference IS NOT NULL);
CREATE INDEX bank_lines_by_state ON public.bank_lines USING btree (state, id) WHERE (state = ANY (ARRAY['suspense'::text, 'dismissed'::text]));
CREATE INDEX bank_lines_by_statement ON public.bank_lines USING btree (statement_id);
CREATE INDEX bank_lines_debits ON public.bank_lines USING btree (collecting_account_id) WHERE (direction = 'debit'::text);
CREATE INDEX bank_lines_debits_to_book ON public.bank_lines USING btree (id) WHERE ((direction = 'debit'::text) AND (booked_unexplained <> (state = 'needs_review'::text)));
CREATE INDEX bank_lines_in_suspense ON public.bank_lines USING btree (booked_at) WHERE (state = 'suspense'::text);
CREATE INDEX bank_lines_of_files_by_amount ON public.bank_lines USING btree (statement_file_id, amount, bank_reference) WHERE (statement_file_id IS NOT NULL);
CREATE INDEX bank_lines_of_payouts ON public.bank_lines USING btree (id) WHERE ((state = 'new'::text) AND for_payouts);
CREATE INDEX bank_lines_open_by_amount ON public.bank_lines USING btree (amount, id) WHERE (state = ANY (ARRAY['suspense'::text, 'needs_review'::text]));
CREATE INDEX bank_lines_open_naming ON public.bank_lines USING gin (ids_in(narrative)) WITH (fastupdate=off) WHERE ((state = ANY (ARRAY['new'::text, 'needs_review'::text, 'suspense'::text])) AND (ids_in(narrative) <> '{}'::text[]));
CREATE INDEX bank_lines_review_pages ON public.bank_lines USING btree (id) WHERE (state = 'needs_review'::text);
CREATE INDEX bank_lines_to_match ON public.bank_lines USING btree (id) WHERE (state = 'new'::text);
CREATE INDEX bank_lines_to_review ON public.bank_lines USING btree (direction, booked_at) WHERE (state = 'needs_review'::text);
CREATE INDEX bank_lines_unconfirmed ON public.bank_lines USING btree (booked_at, id) WHERE ((confirmed_by IS NULL) AND (state <> 'dismissed'::text));
CREATE INDEX bank_lines_unconfirmed_money ON public.bank_lines USING btree (id) WHERE ((confirmed_by IS NULL) AND (direction = 'credit'::text) AND (state = 'matched'::text));
CREATE CONSTRAINT TRIGGER bank_lines_matched_in_full AFTER UPDATE ON public.bank_lines DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.state <> new.state) AND (('matched'::text = old.state) OR ('matched'::text = new.state)))) EXECUTE FUNCTION check_line_parts('id');

create table banks (
  id text collate "C" not null,
  code text collate "C" not null,
  name text not null,
  official_name text not null,
  kind text not null,
  bic text,
  enabled boolean not null,
  constraint banks_pkey PRIMARY KEY (id),
  constraint banks_code UNIQUE (code)
);

create table book_balances (
  decision_id text collate "C" not null,
  account_id text collate "C" not null,
  balance bigint not null,
  constraint book_balances_pkey PRIMARY KEY (decision_id, account_id),
  constraint book_balances_decision FOREIGN KEY (decision_id) REFERENCES book_decisions(id)
);
CREATE TRIGGER book_balances_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.book_balances FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table book_checks (
  collecting_account_id text collate "C" not null,
  day date not null,
  unexplained bigint not null,
  checked_at timestamp with time zone not null,
  proof text,
  balance_day date,
  accepted bigint not null default 0,
  bank_balance bigint,
  difference bigint,
  since date,
  constraint book_checks_pkey PRIMARY KEY (collecting_account_id),
  constraint book_checks_account FOREIGN KEY (collecting_account_id) REFERENCES collecting_accounts(id),
  constraint book_checks_known_proof CHECK ((proof = ANY (ARRAY['balance'::text, 'no_balance'::text, 'not_proven'::text, 'unused'::text])))
);

create table book_decisions (
  id text collate "C" not null,
  day date not null,
  action text not null,
  proposed_by text not null,
  operator text not null,
  figures_hash text not null,
  figures json not null,
  reason text,
  decided_at timestamp with time zone not null,
  takes_back text collate "C",
  constraint book_decisions_pkey PRIMARY KEY (id),
  constraint book_decisions_known_action CHECK ((action = ANY (ARRAY['close'::text, 'reopen'::text]))),
  constraint book_decisions_operator FOREIGN KEY (operator) REFERENCES operators(name),
  constraint book_decisions_proposed_by FOREIGN KEY (proposed_by) REFERENCES operators(name),
  constraint book_decisions_reopened_once UNIQUE (takes_back),
  constraint book_decisions_takes_back FOREIGN KEY (takes_back) REFERENCES book_decisions(id),
  constraint book_decisions_takes_back_a_close CHECK (((action = 'reopen'::text) = (takes_back IS NOT NULL))),
  constraint book_decisions_two_people CHECK ((operator <> proposed_by)),
  constraint book_decisions_why_reopened CHECK (((action = 'close'::text) OR (char_length(reason) >= 5)))
);
CREATE INDEX book_decisions_by_day ON public.book_decisions USING btree (day, decided_at);
CREATE TRIGGER book_decisions_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.book_decisions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table book_differences (
  decision_id text collate "C" not null,
  collecting_account_id text collate "C" not null,
  subject text collate "C" not null,
  merchant_id text collate "C" not null,
  kind text not null,
  amount bigint not null,
  constraint book_differences_pkey PRIMARY KEY (decision_id, collecting_account_id, subject),
  constraint book_differences_decision FOREIGN KEY (decision_id) REFERENCES book_decisions(id)
);
CREATE TRIGGER book_differences_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.book_differences FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table book_movements (
  decision_id text collate "C" not null,
  merchant_id text collate "C" not null,
  currency text not null,
  kind text not null,
  net bigint not null,
  fee bigint not null,
  constraint book_movements_pkey PRIMARY KEY (decision_id, merchant_id, currency, kind),
  constraint book_movements_decision FOREIGN KEY (decision_id) REFERENCES book_decisions(id)
);
CREATE TRIGGER book_movements_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.book_movements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table business_clock (
  only_row boolean not null default true,
  offset_seconds integer not null,
  constraint business_clock_pkey PRIMARY KEY (only_row),
  constraint business_clock_one_row CHECK (only_row)
);

create table callback_endpoints (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  url text,
  created_at timestamp with time zone not null,
  description text not null default ''::text,
  event_types text[] not null default '{}'::text[],
  state text not null default 'enabled'::text,
  state_reason text,
  max_concurrent integer not null default 10,
  max_per_second integer not null default 100,
  constraint callback_endpoints_pkey PRIMARY KEY (merchant_id, id),
  constraint callback_endpoints_known_state CHECK ((state = ANY (ARRAY['enabled'::text, 'disabled'::text, 'removed'::text]))),
  constraint callback_endpoints_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint callback_endpoints_off_for_a_reason CHECK (((state = 'enabled'::text) = (state_reason IS NULL))),
  constraint callback_endpoints_some_pace CHECK (((max_concurrent > 0) AND (max_per_second > 0)))
);

create table callback_secrets (
  merchant_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  id text collate "C" not null,
  sealed text not null,
  created_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  constraint callback_secrets_pkey PRIMARY KEY (merchant_id, endpoint_id, id),
  constraint callback_secrets_merchant_id_endpoint_id_fkey FOREIGN KEY (merchant_id, endpoint_id) REFERENCES callback_endpoints(merchant_id, id)
);

create table collecting_accounts (
  id text collate "C" not null,
  bank_id text collate "C" not null,
  title text not null,
  iban text not null,
  currency text not null,
  state text not null,
  created_at timestamp with time zone not null,
  daily_amount_limit bigint,
  daily_count_limit integer,
  daily_send_limit bigint,
  connection text collate "C",
  awaits_connection boolean not null default false,
  stopped_by text,
  karekod_producer text,
  mark text not null,
  constraint collecting_accounts_pkey PRIMARY KEY (id),
  constraint collecting_accounts_bank_id_fkey FOREIGN KEY (bank_id) REFERENCES banks(id),
  constraint collecting_accounts_connection FOREIGN KEY (connection) REFERENCES connections(name),
  constraint collecting_accounts_daily_limits CHECK (((daily_amount_limit > 0) AND (daily_count_limit > 0))),
  constraint collecting_accounts_iban UNIQUE (iban),
  constraint collecting_accounts_karekod_producer CHECK ((karekod_producer ~ '^[0-9]{4}$'::text)),
  constraint collecting_accounts_known_state CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text, 'draining'::text, 'blocked'::text]))),
  constraint collecting_accounts_known_stop CHECK ((stopped_by = 'books_differ'::text)),
  constraint collecting_accounts_send_limit CHECK ((daily_send_limit > 0))
);
CREATE TRIGGER collecting_accounts_terms_fixed BEFORE UPDATE OF id, bank_id, title, iban, currency ON public.collecting_accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_terms();

create table connections (
  name text collate "C" not null,
  kind text not null,
  created_at timestamp with time zone not null,
  settings jsonb,
  sealed text,
  disabled_at timestamp with time zone,
  constraint connections_pkey PRIMARY KEY (name),
  constraint connections_known_kind CHECK ((kind = ANY (ARRAY['http_api'::text, 'file_exchange'::text, 'manual'::text]))),
  constraint connections_manual_by_name CHECK (((kind = 'manual'::text) = (name ~ '^manual(-|$)'::text))),
  constraint connections_sealed_if_set CHECK (((sealed IS NOT NULL) = ((kind <> 'manual'::text) AND (settings IS NOT NULL))))
);

create table deliveries (
  merchant_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  transaction_id text collate "C" not null,
  type text not null,
  position bigint not null,
  state text not null,
  tries integer not null default 0,
  since timestamp with time zone not null,
  next_at timestamp with time zone not null,
  last_outcome text,
  last_status integer,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint deliveries_pkey PRIMARY KEY (merchant_id, event_id, endpoint_id),
  constraint deliveries_known_state CHECK ((state = ANY (ARRAY['waiting'::text, 'behind'::text, 'given_up'::text])))
) with (fillfactor=70);
CREATE INDEX deliveries_due ON public.deliveries USING btree (merchant_id, endpoint_id, next_at, "position") WHERE (state = 'waiting'::text);
CREATE INDEX deliveries_given_up ON public.deliveries USING btree (merchant_id, "position") WHERE (state = 'given_up'::text);
CREATE INDEX deliveries_oldest ON public.deliveries USING btree ((((merchant_id || '/'::text) || endpoint_id)), created_at) WHERE (state = ANY (ARRAY['waiting'::text, 'behind'::text]));
CREATE INDEX deliveries_open ON public.deliveries USING btree (merchant_id, endpoint_id, transaction_id, "position") WHERE (state = ANY (ARRAY['waiting'::text, 'behind'::text]));

create table delivery_attempts (
  merchant_id text collate "C" not null,
  event_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  number integer not null,
  at timestamp with time zone not null,
  connect_ms integer not null,
  wait_ms integer not null,
  read_ms integer not null,
  outcome text not null,
  status integer,
  problem text,
  answer text not null,
  constraint delivery_attempts_pkey PRIMARY KEY (merchant_id, event_id, endpoint_id, number),
  constraint delivery_attempts_known_outcome CHECK ((outcome = ANY (ARRAY['accepted'::text, '4xx'::text, '5xx'::text, 'redirect'::text, 'timeout'::text, 'tls'::text, 'dns'::text, 'refused'::text])))
);

create table delivery_claims (
  merchant_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  number integer not null,
  until timestamp with time zone not null,
  constraint delivery_claims_pkey PRIMARY KEY (merchant_id, endpoint_id, event_id)
);

create table deployment (
  only_row boolean not null default true,
  mode text not null,
  recorded_at timestamp with time zone not null,
  constraint deployment_pkey PRIMARY KEY (only_row),
  constraint deployment_known_mode CHECK ((mode = ANY (ARRAY['sandbox'::text, 'live'::text]))),
  constraint deployment_one_row CHECK (only_row)
);
CREATE TRIGGER deployment_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.deployment FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table deployment_secrets (
  name text collate "C" not null,
  sealed text not null,
  created_at timestamp with time zone not null,
  constraint deployment_secrets_pkey PRIMARY KEY (name)
);

create table deposits (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  process_id text collate "C" not null,
  amount bigint not null,
  currency text not null,
  status text not null,
  sequence integer not null default 0,
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
  flags text[] not null default '{}'::text[],
  reason text,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  reference_code text collate "C" not null,
  version integer not null default 0,
  claimed_at timestamp with time zone,
  account_changed_at timestamp with time zone,
  previous_account_ids text[] not null default '{}'::text[],
  requested_bank_id text,
  refunded_amount bigint not null default 0,
  taken_back_amount bigint not null default 0,
  duplicate_amount bigint not null default 0,
  handover_hash bytea,
  handover_until timestamp with time zone,
  constraint deposits_pkey PRIMARY KEY (merchant_id, id),
  constraint deposits_known_language CHECK ((language = ANY (ARRAY['tr'::text, 'en'::text]))),
  constraint deposits_known_status CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text, 'failed'::text, 'expired'::text, 'cancelled'::text]))),
  constraint deposits_positive CHECK (((amount > 0) AND (received_amount >= 0) AND (fee >= 0))),
  constraint deposits_process_id UNIQUE (merchant_id, process_id),
  constraint deposits_reference_code UNIQUE (reference_code),
  constraint deposits_refunded_within_received CHECK (((refunded_amount >= 0) AND (refunded_amount <= received_amount))),
  constraint deposits_taken_back_within_received CHECK (((taken_back_amount >= 0) AND (taken_back_amount <= received_amount)))
);
CREATE INDEX deposits_by_amount ON public.deposits USING btree (amount, id) WHERE (status <> 'pending'::text);
CREATE INDEX deposits_by_entries ON public.deposits USING gin (((search_entries(substr(id, 1, 3), amount, ((((customer_id || ' '::text) || customer_name) || ' '::text) || customer_username)) || search_entries(((substr(id, 1, 3) || '/'::text) || "right"(merchant_id, 6)), amount, ((((customer_id || ' '::text) || customer_name) || ' '::text) || customer_username))))) WITH (fastupdate=off) WHERE (status <> 'pending'::text);
CREATE INDEX deposits_by_status_and_time ON public.deposits USING btree (status, id, merchant_id) WHERE (status <> 'pending'::text);
CREATE INDEX deposits_no_longer_pending ON public.deposits USING btree ((((merchant_id || '/'::text) || status)), id) WHERE (status <> 'pending'::text);
CREATE INDEX deposits_open_by_amount ON public.deposits USING btree (collecting_account_id, amount, created_at) WHERE (status = ANY (ARRAY['pending'::text, 'processing'::text, 'expired'::text]));
CREATE INDEX deposits_pending ON public.deposits USING btree (merchant_id, expires_at) WHERE (status = 'pending'::text);
CREATE TRIGGER deposits_terms_fixed BEFORE UPDATE OF merchant_id, id, process_id, amount, currency, reference_code, created_at ON public.deposits FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_terms();

create table doubt_decisions (
  merchant_id text collate "C" not null,
  withdrawal_id text collate "C" not null,
  submits integer not null,
  operator text not null,
  verdict text not null,
  evidence text not null,
  decided_at timestamp with time zone not null,
  number integer not null default 1,
  constraint doubt_decisions_pkey PRIMARY KEY (merchant_id, withdrawal_id, submits, operator, verdict, number),
  constraint doubt_decisions_evidence CHECK ((char_length(evidence) >=
CASE
    WHEN (verdict = 'found'::text) THEN 1
    ELSE 5
END)),
  constraint doubt_decisions_known CHECK ((verdict = ANY (ARRAY['found'::text, 'not_found'::text, 'never_paid'::text, 'paid'::text, 'withdrawn'::text]))),
  constraint doubt_decisions_operator_fkey FOREIGN KEY (operator) REFERENCES operators(name)
);
CREATE INDEX doubt_decisions_by_reference ON public.doubt_decisions USING btree (evidence) WHERE (verdict = 'found'::text);
CREATE TRIGGER doubt_decisions_append_only BEFORE UPDATE ON public.doubt_decisions FOR EACH ROW EXECUTE FUNCTION refuse_all_but_erasing('withdrawal_id', 'evidence');
CREATE TRIGGER doubt_decisions_never_deleted BEFORE DELETE OR TRUNCATE ON public.doubt_decisions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table endpoint_queues (
  merchant_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  wake_at timestamp with time zone,
  failures integer not null default 0,
  failing_since timestamp with time zone,
  warned_at timestamp with time zone,
  paused_until timestamp with time zone,
  tokens double precision not null default 1000000,
  tokens_at timestamp with time zone not null,
  last_claim integer not null default 0,
  constraint endpoint_queues_pkey PRIMARY KEY (merchant_id, endpoint_id)
) with (fillfactor=50);

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
  decided_at timestamp with time zone not null,
  constraint entered_lines_pkey PRIMARY KEY (line_id),
  constraint entered_lines_account FOREIGN KEY (collecting_account_id) REFERENCES collecting_accounts(id),
  constraint entered_lines_decided_by FOREIGN KEY (decided_by) REFERENCES operators(name),
  constraint entered_lines_direction CHECK ((direction = ANY (ARRAY['credit'::text, 'debit'::text]))),
  constraint entered_lines_line FOREIGN KEY (line_id) REFERENCES bank_lines(id),
  constraint entered_lines_positive CHECK ((amount > 0)),
  constraint entered_lines_proposed_by FOREIGN KEY (proposed_by) REFERENCES operators(name),
  constraint entered_lines_reason CHECK ((char_length(reason) >= 5)),
  constraint entered_lines_two_people CHECK ((decided_by <> proposed_by))
);
CREATE INDEX entered_lines_of_account ON public.entered_lines USING btree (collecting_account_id, amount);
CREATE TRIGGER entered_lines_never_deleted BEFORE DELETE OR TRUNCATE ON public.entered_lines FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER entered_lines_terms_fixed BEFORE UPDATE ON public.entered_lines FOR EACH ROW WHEN (((old.line_id IS DISTINCT FROM new.line_id) OR (old.collecting_account_id IS DISTINCT FROM new.collecting_account_id) OR (old.direction IS DISTINCT FROM new.direction) OR (old.amount IS DISTINCT FROM new.amount) OR (old.booked_on IS DISTINCT FROM new.booked_on) OR (old.besides IS DISTINCT FROM new.besides) OR (old.reason IS DISTINCT FROM new.reason) OR (old.proposed_by IS DISTINCT FROM new.proposed_by) OR (old.decided_by IS DISTINCT FROM new.decided_by) OR (old.decided_at IS DISTINCT FROM new.decided_at) OR (((old.sender_name IS DISTINCT FROM new.sender_name) OR (old.sender_iban IS DISTINCT FROM new.sender_iban) OR (old.narrative IS DISTINCT FROM new.narrative)) AND ((new.sender_name IS DISTINCT FROM '[erased]'::text) OR (new.narrative IS DISTINCT FROM '[erased]'::text))))) EXECUTE FUNCTION refuse_change_of_terms();

create table erased_rows (
  merchant_id text collate "C" not null,
  transaction_id text collate "C" not null,
  number integer not null,
  table_name text not null,
  count integer not null,
  constraint erased_rows_pkey PRIMARY KEY (merchant_id, transaction_id, number, table_name),
  constraint erased_rows_erasure FOREIGN KEY (merchant_id, transaction_id, number) REFERENCES erasures(merchant_id, transaction_id, number),
  constraint erased_rows_some CHECK ((count > 0))
);
CREATE TRIGGER erased_rows_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.erased_rows FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table erasures (
  merchant_id text collate "C" not null,
  transaction_id text collate "C" not null,
  number integer not null,
  kind text not null,
  asked_for text not null,
  operator text not null,
  reason text not null,
  despite_retention boolean not null,
  erased_at timestamp with time zone not null,
  constraint erasures_pkey PRIMARY KEY (merchant_id, transaction_id, number),
  constraint erasures_asked_for CHECK ((asked_for = ANY (ARRAY['customer'::text, 'transaction'::text]))),
  constraint erasures_known_kind CHECK ((kind = ANY (ARRAY['deposit'::text, 'withdrawal'::text]))),
  constraint erasures_reason CHECK ((char_length(reason) >= 5))
);
CREATE TRIGGER erasures_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.erasures FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table event_positions (
  last bigint not null
);

create table events (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  transaction_id text collate "C" not null,
  sequence integer not null,
  type text not null,
  body text not null,
  created_at timestamp with time zone not null,
  for_endpoint text collate "C",
  written bigint not null generated always as identity,
  position bigint,
  erased_at timestamp with time zone,
  constraint events_pkey PRIMARY KEY (merchant_id, id),
  constraint events_numbered_once UNIQUE (merchant_id, transaction_id, sequence)
);
CREATE INDEX events_by_type ON public.events USING btree (merchant_id, type, "position") WHERE ("position" IS NOT NULL);
CREATE INDEX events_to_distribute ON public.events USING btree (written) WHERE ("position" IS NULL);
CREATE UNIQUE INDEX events_in_order ON public.events USING btree (merchant_id, "position") WHERE ("position" IS NOT NULL);

create table fast_caps (
  effective_from date not null,
  amount bigint not null,
  constraint fast_caps_pkey PRIMARY KEY (effective_from),
  constraint fast_caps_positive CHECK ((amount > 0))
);

create table holds (
  merchant_id text collate "C" not null,
  subject_id text collate "C" not null,
  currency text not null,
  amount bigint not null,
  state text not null,
  created_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  constraint holds_pkey PRIMARY KEY (merchant_id, subject_id),
  constraint holds_known_state CHECK ((state = ANY (ARRAY['pending'::text, 'posted'::text, 'voided'::text]))),
  constraint holds_positive CHECK ((amount > 0)),
  constraint holds_resolved_once CHECK (((state = 'pending'::text) = (resolved_at IS NULL)))
);

create table imported_statements (
  file_id text collate "C" not null,
  number integer not null,
  collecting_account_id text collate "C" not null,
  format text not null,
  bank_id text,
  from_day date not null,
  to_day date not null,
  opening bigint,
  closing bigint,
  lines integer not null,
  credits bigint not null,
  debits bigint not null,
  constraint imported_statements_pkey PRIMARY KEY (file_id, number),
  constraint imported_statements_account FOREIGN KEY (collecting_account_id) REFERENCES collecting_accounts(id),
  constraint imported_statements_file FOREIGN KEY (file_id) REFERENCES statement_files(id),
  constraint imported_statements_period CHECK ((from_day <= to_day))
);
CREATE INDEX imported_statements_by_day ON public.imported_statements USING btree (collecting_account_id, to_day);
CREATE TRIGGER imported_statements_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.imported_statements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table journal_entries (
  id text collate "C" not null,
  kind text not null,
  details json not null,
  reason text not null,
  proposed_by text,
  proposed_at timestamp with time zone not null,
  approved_by text,
  posted_at timestamp with time zone not null,
  reverses text collate "C",
  reversed_at timestamp with time zone,
  rule_id text collate "C",
  constraint journal_entries_pkey PRIMARY KEY (id),
  constraint journal_entries_approved_by FOREIGN KEY (approved_by) REFERENCES operators(name),
  constraint journal_entries_approved_later CHECK (((approved_by IS NULL) OR (proposed_by IS NOT NULL))),
  constraint journal_entries_known_kind CHECK ((kind = ANY (ARRAY['own_transfer'::text, 'bank_charge'::text, 'bank_tax'::text, 'interest'::text, 'receivable'::text, 'fee_withdrawal'::text, 'refund_unexplained'::text, 'payout_return'::text, 'payout_debit'::text, 'storno'::text, 'own_funds'::text, 'opening_balance'::text, 'unmatch'::text, 'deposit_payment'::text, 'reversal'::text]))),
  constraint journal_entries_proposed_by FOREIGN KEY (proposed_by) REFERENCES operators(name),
  constraint journal_entries_reason CHECK ((char_length(reason) >= 5)),
  constraint journal_entries_reversal CHECK (((kind = 'reversal'::text) = (reverses IS NOT NULL))),
  constraint journal_entries_reverses FOREIGN KEY (reverses) REFERENCES journal_entries(id),
  constraint journal_entries_rule FOREIGN KEY (rule_id) REFERENCES line_rules(id),
  constraint journal_entries_two_people CHECK ((approved_by <> proposed_by))
);
CREATE INDEX journal_entries_by_rule ON public.journal_entries USING btree (rule_id, id) WHERE ((rule_id IS NOT NULL) AND (reversed_at IS NULL));
CREATE INDEX journal_entries_receivables ON public.journal_entries USING btree (id) WHERE ((kind = 'receivable'::text) AND (reversed_at IS NULL));
CREATE INDEX journal_entries_refunds ON public.journal_entries USING btree (id) WHERE (kind = 'refund_unexplained'::text);
CREATE INDEX journal_entries_uses_of_rests ON public.journal_entries USING btree ((((details -> 'terms'::text) ->> 'restOf'::text))) WHERE (((details -> 'terms'::text) ->> 'restOf'::text) IS NOT NULL);
CREATE INDEX journal_entries_with_rest ON public.journal_entries USING btree (id) WHERE ((reversed_at IS NULL) AND (((details -> 'terms'::text) ->> 'rest'::text) IS NOT NULL));
CREATE UNIQUE INDEX journal_entries_one_opening ON public.journal_entries USING btree ((((details -> 'terms'::text) ->> 'accountId'::text))) WHERE ((kind = 'opening_balance'::text) AND (reversed_at IS NULL));
CREATE UNIQUE INDEX journal_entries_reversed_once ON public.journal_entries USING btree (reverses);
CREATE TRIGGER journal_entries_never_deleted BEFORE DELETE ON public.journal_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_entries_never_emptied BEFORE TRUNCATE ON public.journal_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_entries_terms_fixed BEFORE UPDATE ON public.journal_entries FOR EACH ROW WHEN (((old.id IS DISTINCT FROM new.id) OR (old.kind IS DISTINCT FROM new.kind) OR ((old.details)::text IS DISTINCT FROM (new.details)::text) OR (old.reason IS DISTINCT FROM new.reason) OR (old.proposed_by IS DISTINCT FROM new.proposed_by) OR (old.proposed_at IS DISTINCT FROM new.proposed_at) OR (old.reverses IS DISTINCT FROM new.reverses) OR (old.rule_id IS DISTINCT FROM new.rule_id) OR (old.approved_by IS DISTINCT FROM new.approved_by) OR (old.posted_at IS DISTINCT FROM new.posted_at) OR ((old.reversed_at IS NOT NULL) AND (old.reversed_at IS DISTINCT FROM new.reversed_at)))) EXECUTE FUNCTION refuse_change_of_terms();

create table journal_lines (
  journal_id text collate "C" not null,
  line_id text collate "C" not null,
  constraint journal_lines_pkey PRIMARY KEY (journal_id, line_id),
  constraint journal_lines_journal FOREIGN KEY (journal_id) REFERENCES journal_entries(id),
  constraint journal_lines_line FOREIGN KEY (line_id) REFERENCES bank_lines(id)
);
CREATE INDEX journal_lines_by_line ON public.journal_lines USING btree (line_id);
CREATE TRIGGER journal_lines_append_only BEFORE DELETE OR UPDATE ON public.journal_lines FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_lines_never_emptied BEFORE TRUNCATE ON public.journal_lines FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table ledger_state (
  only_row boolean not null default true,
  closed_until date,
  check_started_at timestamp with time zone,
  check_finished_at timestamp with time zone,
  drifted integer,
  constraint ledger_state_pkey PRIMARY KEY (only_row),
  constraint ledger_state_finished CHECK (((check_finished_at IS NULL) = (drifted IS NULL))),
  constraint ledger_state_one_row CHECK (only_row)
);

create table line_parts (
  line_id text collate "C" not null,
  kind text not null,
  subject text collate "C" not null,
  merchant_id text collate "C" not null,
  amount bigint not null,
  explained_at timestamp with time zone not null,
  journal_id text collate "C",
  constraint line_parts_pkey PRIMARY KEY (line_id, kind, subject),
  constraint line_parts_journal FOREIGN KEY (journal_id) REFERENCES journal_entries(id),
  constraint line_parts_known_kind CHECK ((kind = ANY (ARRAY['deposit'::text, 'payout'::text, 'payout_return'::text, 'journal'::text]))),
  constraint line_parts_line FOREIGN KEY (line_id) REFERENCES bank_lines(id),
  constraint line_parts_one_debit TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint line_parts_one_return TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint line_parts_positive CHECK ((amount > 0)),
  constraint line_parts_within_line TRIGGER DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX line_parts_by_journal ON public.line_parts USING btree (journal_id) WHERE (journal_id IS NOT NULL);
CREATE INDEX line_parts_by_subject ON public.line_parts USING btree (subject);
CREATE CONSTRAINT TRIGGER line_parts_one_debit AFTER INSERT OR UPDATE ON public.line_parts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.kind = 'payout'::text)) EXECUTE FUNCTION check_payout_debits();
CREATE CONSTRAINT TRIGGER line_parts_one_return AFTER INSERT OR UPDATE ON public.line_parts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.kind = 'payout_return'::text)) EXECUTE FUNCTION check_payout_returns();
CREATE CONSTRAINT TRIGGER line_parts_within_line AFTER INSERT OR DELETE OR UPDATE ON public.line_parts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_line_parts('line_id');

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
  approved_at timestamp with time zone not null,
  state text not null,
  undo_proposed_by text,
  undo_proposed_at timestamp with time zone,
  undo_approved_by text,
  undo_reason text,
  booked integer not null default 0,
  mark text not null,
  constraint line_rules_pkey PRIMARY KEY (id),
  constraint line_rules_account FOREIGN KEY (account_id) REFERENCES collecting_accounts(id),
  constraint line_rules_approved_by FOREIGN KEY (approved_by) REFERENCES operators(name),
  constraint line_rules_known_direction CHECK ((direction = ANY (ARRAY['credit'::text, 'debit'::text]))),
  constraint line_rules_known_kind CHECK ((kind = ANY (ARRAY['bank_charge'::text, 'bank_tax'::text, 'interest'::text]))),
  constraint line_rules_known_state CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text, 'ended'::text]))),
  constraint line_rules_positive CHECK ((max_amount > 0)),
  constraint line_rules_proposed_by FOREIGN KEY (proposed_by) REFERENCES operators(name),
  constraint line_rules_reason CHECK ((char_length(reason) >= 5)),
  constraint line_rules_two_people CHECK ((approved_by <> proposed_by)),
  constraint line_rules_undo CHECK ((num_nulls(undo_proposed_by, undo_proposed_at, undo_approved_by, undo_reason) = ANY (ARRAY[0, 4]))),
  constraint line_rules_undo_approved_by FOREIGN KEY (undo_approved_by) REFERENCES operators(name),
  constraint line_rules_undo_ended CHECK (((undo_reason IS NULL) OR (state = 'ended'::text))),
  constraint line_rules_undo_proposed_by FOREIGN KEY (undo_proposed_by) REFERENCES operators(name),
  constraint line_rules_undo_two_people CHECK ((undo_approved_by <> undo_proposed_by)),
  constraint line_rules_words CHECK (((char_length(words) >= 4) AND (char_length(words) <= 100)))
);
CREATE TRIGGER line_rules_never_deleted BEFORE DELETE ON public.line_rules FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER line_rules_never_emptied BEFORE TRUNCATE ON public.line_rules FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER line_rules_terms_fixed BEFORE UPDATE ON public.line_rules FOR EACH ROW WHEN (((old.id IS DISTINCT FROM new.id) OR (old.kind IS DISTINCT FROM new.kind) OR (old.direction IS DISTINCT FROM new.direction) OR (old.account_id IS DISTINCT FROM new.account_id) OR (old.words IS DISTINCT FROM new.words) OR (old.max_amount IS DISTINCT FROM new.max_amount) OR (old.books IS DISTINCT FROM new.books) OR (old.reason IS DISTINCT FROM new.reason) OR (old.proposed_by IS DISTINCT FROM new.proposed_by) OR (old.approved_by IS DISTINCT FROM new.approved_by) OR (old.approved_at IS DISTINCT FROM new.approved_at) OR ((old.state <> 'active'::text) AND (new.state = 'active'::text)) OR ((old.state = 'ended'::text) AND (new.state <> 'ended'::text)) OR ((old.undo_reason IS NOT NULL) AND (old.undo_reason IS DISTINCT FROM new.undo_reason)))) EXECUTE FUNCTION refuse_change_of_terms();

create table login_failures (
  key text collate "C" not null,
  failures integer not null,
  open_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  constraint login_failures_pkey PRIMARY KEY (key)
);
CREATE INDEX login_failures_by_time ON public.login_failures USING btree (last_at);

create table login_invitations (
  id text collate "C" not null,
  token_hash text not null,
  audience text not null,
  name text not null,
  merchant_id text collate "C",
  role text,
  invited_by text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  mark text,
  code_mark text,
  constraint login_invitations_pkey PRIMARY KEY (id),
  constraint login_invitations_known_audience CHECK ((audience = ANY (ARRAY['operator'::text, 'merchant'::text]))),
  constraint login_invitations_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint login_invitations_token UNIQUE (token_hash)
);
CREATE INDEX login_invitations_open ON public.login_invitations USING btree (audience, name) WHERE (accepted_at IS NULL);

create table logins (
  id text collate "C" not null,
  audience text not null,
  name text not null,
  operator text,
  merchant_id text collate "C",
  role text,
  password text not null,
  device_key text not null,
  created_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  mark text,
  recovery_codes text[] not null default '{}'::text[],
  constraint logins_pkey PRIMARY KEY (id),
  constraint logins_known_audience CHECK ((audience = ANY (ARRAY['operator'::text, 'merchant'::text]))),
  constraint logins_known_role CHECK ((role = ANY (ARRAY['owner'::text, 'finance'::text, 'developer'::text, 'support'::text]))),
  constraint logins_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint logins_of_one CHECK (
CASE audience
    WHEN 'operator'::text THEN ((operator IS NOT NULL) AND (operator = name) AND (merchant_id IS NULL) AND (role IS NULL))
    ELSE ((operator IS NULL) AND (merchant_id IS NOT NULL) AND (role IS NOT NULL))
END),
  constraint logins_operator FOREIGN KEY (operator) REFERENCES operators(name)
);
CREATE INDEX logins_of_merchant ON public.logins USING btree (merchant_id) WHERE (merchant_id IS NOT NULL);
CREATE UNIQUE INDEX logins_once ON public.logins USING btree (audience, name) WHERE (disabled_at IS NULL);

create table match_decisions (
  line_id text collate "C" not null,
  number integer not null,
  verdict text not null,
  why text not null,
  merchant_id text collate "C",
  deposit_id text collate "C",
  reasons json not null,
  suggestions json not null,
  decided_by text not null,
  decided_at timestamp with time zone not null,
  constraint match_decisions_pkey PRIMARY KEY (line_id, number),
  constraint match_decisions_line_id_fkey FOREIGN KEY (line_id) REFERENCES bank_lines(id)
);
CREATE INDEX match_decisions_of_second_payments ON public.match_decisions USING btree ((((suggestions -> 0) ->> 'depositId'::text))) WHERE (why = 'duplicate'::text);
CREATE TRIGGER match_decisions_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.match_decisions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table merchant_fees (
  merchant_id text collate "C" not null,
  number integer not null,
  effective_from timestamp with time zone not null,
  deposit_bps integer not null,
  deposit_fixed bigint not null,
  deposit_min bigint not null,
  deposit_max bigint,
  withdraw_bps integer not null,
  withdraw_fixed bigint not null,
  withdraw_min bigint not null,
  withdraw_max bigint,
  set_by text,
  created_at timestamp with time zone not null,
  constraint merchant_fees_pkey PRIMARY KEY (merchant_id, number),
  constraint merchant_fees_amounts CHECK ((LEAST(deposit_fixed, deposit_min, deposit_max, withdraw_fixed, withdraw_min, withdraw_max) >= 0)),
  constraint merchant_fees_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint merchant_fees_share CHECK (((deposit_bps >= 0) AND (deposit_bps <= 10000) AND ((withdraw_bps >= 0) AND (withdraw_bps <= 10000))))
);
CREATE TRIGGER merchant_fees_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.merchant_fees FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table merchant_keys (
  api_key text collate "C" not null,
  merchant_id text collate "C" not null,
  created_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint merchant_keys_pkey PRIMARY KEY (api_key),
  constraint merchant_keys_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
CREATE INDEX merchant_keys_by_merchant ON public.merchant_keys USING btree (merchant_id);

create table merchant_secrets (
  api_key text collate "C" not null,
  id text collate "C" not null,
  sealed text not null,
  created_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  last_used_at timestamp with time zone,
  constraint merchant_secrets_pkey PRIMARY KEY (api_key, id),
  constraint merchant_secrets_api_key_fkey FOREIGN KEY (api_key) REFERENCES merchant_keys(api_key)
);

create table merchants (
  id text collate "C" not null,
  name text not null,
  demo boolean not null default false,
  requests_per_second integer not null,
  return_origins text[] not null default '{}'::text[],
  created_at timestamp with time zone not null,
  amount_policy text not null default 'exact'::text,
  amount_tolerance bigint not null default 0,
  late_policy text not null default 'complete'::text,
  name_check text not null default 'warn'::text,
  display_name text,
  accent text,
  logo bytea,
  approval_threshold bigint,
  daily_withdraw_amount bigint,
  daily_withdraw_count integer,
  daily_iban_amount bigint,
  daily_iban_count integer,
  max_open_deposits integer not null default 1000,
  frozen boolean not null default false,
  refunds_charged boolean not null default false,
  match_approval_from bigint,
  logo_dark bytea,
  logo_ink text,
  support_phone text,
  support_email text,
  support_address text,
  eft_deadline_hours integer,
  setting_marks jsonb not null default '{}'::jsonb,
  networks text[] not null default '{}'::text[],
  callback_networks jsonb not null default '{}'::jsonb,
  banks_off text[] not null default '{}'::text[],
  settlement_every text,
  settlement_weekday integer,
  settlement_minute integer,
  settlement_minimum bigint,
  settlement_set_at timestamp with time zone,
  events_pruned_to bigint,
  constraint merchants_pkey PRIMARY KEY (id),
  constraint merchants_accent CHECK ((accent ~ '^#[0-9a-f]{6}$'::text)),
  constraint merchants_amount_policy CHECK ((amount_policy = ANY (ARRAY['exact'::text, 'tolerance'::text, 'accept_received'::text]))),
  constraint merchants_amount_tolerance CHECK ((amount_tolerance >= 0)),
  constraint merchants_eft_deadline_hours CHECK (((eft_deadline_hours >= 1) AND (eft_deadline_hours <= 48))),
  constraint merchants_known_logo_ink CHECK ((logo_ink = ANY (ARRAY['light'::text, 'dark'::text, 'opaque'::text]))),
  constraint merchants_late_policy CHECK ((late_policy = ANY (ARRAY['complete'::text, 'review'::text]))),
  constraint merchants_match_approval_from CHECK ((match_approval_from > 0)),
  constraint merchants_name_check CHECK ((name_check = ANY (ARRAY['off'::text, 'warn'::text, 'require'::text]))),
  constraint merchants_settlement_every CHECK ((settlement_every = ANY (ARRAY['off'::text, 'day'::text, 'week'::text]))),
  constraint merchants_settlement_minimum CHECK ((settlement_minimum > 0)),
  constraint merchants_settlement_minute CHECK (((settlement_minute >= 0) AND (settlement_minute <= 1439))),
  constraint merchants_settlement_schedule CHECK ((num_nulls(settlement_every, settlement_minute, settlement_minimum, settlement_set_at) = ANY (ARRAY[0, 4]))),
  constraint merchants_settlement_weekday CHECK (((((settlement_every = 'week'::text) IS TRUE) = (settlement_weekday IS NOT NULL)) AND ((settlement_weekday >= 1) AND (settlement_weekday <= 7)))),
  constraint merchants_small_dark_logo CHECK ((octet_length(logo_dark) <= 32768)),
  constraint merchants_small_logo CHECK ((octet_length(logo) <= 32768)),
  constraint merchants_some_open_deposits CHECK ((max_open_deposits > 0)),
  constraint merchants_some_rate CHECK ((requests_per_second > 0)),
  constraint merchants_withdraw_rules CHECK ((LEAST(approval_threshold, daily_withdraw_amount, (daily_withdraw_count)::bigint, daily_iban_amount, (daily_iban_count)::bigint) > 0))
);
CREATE UNIQUE INDEX merchants_one_demo ON public.merchants USING btree (demo) WHERE demo;
CREATE TRIGGER merchants_no_demo_in_live BEFORE INSERT OR UPDATE OF demo ON public.merchants FOR EACH ROW WHEN (new.demo) EXECUTE FUNCTION refuse_demo_in_live();

create table operators (
  name text not null,
  created_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  roles text[] not null,
  mark text,
  had_login boolean not null default true,
  constraint operators_pkey PRIMARY KEY (name),
  constraint operators_known_roles CHECK (((roles <@ ARRAY['viewer'::text, 'support'::text, 'cashier'::text, 'approver'::text, 'admin'::text, 'auditor'::text]) AND (cardinality(roles) > 0))),
  constraint operators_plain_name CHECK ((name ~ '^[a-z][a-z0-9._-]{1,39}$'::text))
);

create table order_report_items (
  report_id text collate "C" not null,
  end_to_end_id text collate "C" not null,
  status text,
  outcome text not null,
  why jsonb,
  judged_at timestamp with time zone not null,
  constraint order_report_items_pkey PRIMARY KEY (report_id, end_to_end_id),
  constraint order_report_items_known CHECK ((outcome = ANY (ARRAY['settled'::text, 'failed'::text, 'pending'::text, 'doubt'::text, 'contradicts'::text, 'known'::text, 'unknown'::text]))),
  constraint order_report_items_report FOREIGN KEY (report_id) REFERENCES order_reports(id)
);
CREATE INDEX order_report_items_contradicting ON public.order_report_items USING btree (judged_at) WHERE (outcome = ANY (ARRAY['contradicts'::text, 'unknown'::text]));
CREATE TRIGGER order_report_items_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.order_report_items FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table order_reports (
  id text collate "C" not null,
  connection text collate "C" not null,
  name text not null,
  sha256 text not null,
  content bytea,
  batch_id text collate "C",
  message_id text,
  received_at timestamp with time zone not null,
  applied_at timestamp with time zone,
  constraint order_reports_pkey PRIMARY KEY (id),
  constraint order_reports_batch FOREIGN KEY (batch_id) REFERENCES payout_batches(id),
  constraint order_reports_once UNIQUE (connection, sha256)
);
CREATE INDEX order_reports_by_batch ON public.order_reports USING btree (batch_id) WHERE (batch_id IS NOT NULL);
CREATE INDEX order_reports_to_apply ON public.order_reports USING btree (received_at) WHERE (applied_at IS NULL);
CREATE INDEX order_reports_without_batch ON public.order_reports USING btree (received_at) WHERE (batch_id IS NULL);
CREATE TRIGGER order_reports_content_fixed BEFORE UPDATE OF content ON public.order_reports FOR EACH ROW WHEN (((new.content IS NOT NULL) AND (new.content IS DISTINCT FROM old.content))) EXECUTE FUNCTION refuse_change_of_terms();
CREATE TRIGGER order_reports_never_deleted BEFORE DELETE OR TRUNCATE ON public.order_reports FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER order_reports_terms_fixed BEFORE UPDATE OF id, connection, name, sha256, batch_id, message_id, received_at ON public.order_reports FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_terms();

create table passkey_challenges (
  challenge_hash text not null,
  purpose text not null,
  login_id text collate "C",
  expires_at timestamp with time zone not null,
  constraint passkey_challenges_pkey PRIMARY KEY (challenge_hash),
  constraint passkey_challenges_known_purpose CHECK ((purpose = ANY (ARRAY['register'::text, 'log_in'::text, 'prove'::text]))),
  constraint passkey_challenges_login FOREIGN KEY (login_id) REFERENCES logins(id)
);
CREATE INDEX passkey_challenges_by_end ON public.passkey_challenges USING btree (expires_at);

create table passkeys (
  id text collate "C" not null,
  login_id text collate "C" not null,
  public_key text not null,
  counter numeric(10,0) not null,
  transports text[] not null,
  label text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  mark text,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_bounded_label CHECK (((length(label) >= 1) AND (length(label) <= 60))),
  constraint passkeys_login FOREIGN KEY (login_id) REFERENCES logins(id)
);
CREATE INDEX passkeys_of_login ON public.passkeys USING btree (login_id);

create table payment_links (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  made_by text not null,
  made_at timestamp with time zone not null,
  constraint payment_links_pkey PRIMARY KEY (merchant_id, id),
  constraint payment_links_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);

create table payout_batch_items (
  batch_id text collate "C" not null,
  number integer not null,
  merchant_id text collate "C" not null,
  withdrawal_id text collate "C" not null,
  cancelled boolean not null default false,
  constraint payout_batch_items_pkey PRIMARY KEY (batch_id, number),
  constraint payout_batch_items_batch FOREIGN KEY (batch_id) REFERENCES payout_batches(id),
  constraint payout_batch_items_payout FOREIGN KEY (merchant_id, withdrawal_id) REFERENCES payouts(merchant_id, withdrawal_id)
);
CREATE INDEX payout_batch_items_by_withdrawal ON public.payout_batch_items USING btree (withdrawal_id);
CREATE UNIQUE INDEX payout_batch_items_one_live ON public.payout_batch_items USING btree (withdrawal_id) WHERE (NOT cancelled);
CREATE TRIGGER payout_batch_items_never_deleted BEFORE DELETE OR TRUNCATE ON public.payout_batch_items FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_batch_items_stay_cancelled BEFORE UPDATE OF cancelled ON public.payout_batch_items FOR EACH ROW WHEN ((old.cancelled AND (NOT new.cancelled))) EXECUTE FUNCTION refuse_change_of_terms();
CREATE TRIGGER payout_batch_items_terms_fixed BEFORE UPDATE OF batch_id, number, merchant_id, withdrawal_id ON public.payout_batch_items FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_terms();

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
  orders integer not null,
  amount bigint not null,
  currency text not null,
  problem jsonb,
  created_at timestamp with time zone not null,
  released_at timestamp with time zone,
  fetched_at timestamp with time zone,
  cancelled_by text,
  cancel_reason text,
  hold_until timestamp with time zone,
  cancelled_at timestamp with time zone,
  mark text,
  constraint payout_batches_pkey PRIMARY KEY (id),
  constraint payout_batches_cancelled_by CHECK (((state <> ALL (ARRAY['cancelling'::text, 'cancelled'::text])) OR (cancelled_by IS NOT NULL))),
  constraint payout_batches_file_once UNIQUE (connection, file_name),
  constraint payout_batches_known_state CHECK ((state = ANY (ARRAY['cut'::text, 'staged'::text, 'released'::text, 'fetched'::text, 'cancelling'::text, 'cancelled'::text]))),
  constraint payout_batches_some CHECK (((orders > 0) AND (amount > 0))),
  constraint payout_batches_source FOREIGN KEY (source_account_id) REFERENCES collecting_accounts(id)
);
CREATE INDEX payout_batches_by_state ON public.payout_batches USING btree (state, created_at);
CREATE INDEX payout_batches_by_time ON public.payout_batches USING btree (created_at);
CREATE INDEX payout_batches_fetched ON public.payout_batches USING btree (fetched_at) WHERE (state = 'fetched'::text);
CREATE INDEX payout_batches_in_work ON public.payout_batches USING btree (created_at) WHERE (state = ANY (ARRAY['cut'::text, 'staged'::text, 'released'::text, 'cancelling'::text]));
CREATE TRIGGER payout_batches_content_fixed BEFORE UPDATE OF content ON public.payout_batches FOR EACH ROW WHEN (((new.content IS NOT NULL) AND (new.content IS DISTINCT FROM old.content))) EXECUTE FUNCTION refuse_change_of_terms();
CREATE TRIGGER payout_batches_never_deleted BEFORE DELETE OR TRUNCATE ON public.payout_batches FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_batches_terms_fixed BEFORE UPDATE OF id, connection, source_account_id, folder, file_name, format, sha256, orders, amount, currency, created_at ON public.payout_batches FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_terms();

create table payout_calls (
  merchant_id text collate "C" not null,
  withdrawal_id text collate "C" not null,
  number integer not null,
  kind text not null,
  outcome text not null,
  detail jsonb,
  called_at timestamp with time zone not null,
  constraint payout_calls_pkey PRIMARY KEY (merchant_id, withdrawal_id, number)
);
CREATE TRIGGER payout_calls_append_only BEFORE UPDATE ON public.payout_calls FOR EACH ROW EXECUTE FUNCTION refuse_all_but_erasing('withdrawal_id', 'detail');
CREATE TRIGGER payout_calls_never_deleted BEFORE DELETE OR TRUNCATE ON public.payout_calls FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

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
  fence integer not null default 0,
  lease_until timestamp with time zone,
  next_at timestamp with time zone not null,
  submits integer not null default 0,
  asks integer not null default 0,
  bank_reference text,
  reason text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  debit_line_id text collate "C",
  credit_line_id text collate "C",
  unknown_since timestamp with time zone,
  sent_at timestamp with time zone,
  mark text,
  constraint payouts_pkey PRIMARY KEY (merchant_id, withdrawal_id),
  constraint payouts_described CHECK ((char_length(description) >= 20)),
  constraint payouts_known_state CHECK ((state = ANY (ARRAY['ready'::text, 'calling'::text, 'asking'::text, 'sent'::text, 'failed'::text, 'returned'::text]))),
  constraint payouts_positive CHECK ((amount > 0)),
  constraint payouts_source_account_id_fkey FOREIGN KEY (source_account_id) REFERENCES collecting_accounts(id)
);
CREATE INDEX payouts_by_amount ON public.payouts USING btree (amount, created_at);
CREATE INDEX payouts_by_day ON public.payouts USING btree (created_at);
CREATE INDEX payouts_by_merchant_and_day ON public.payouts USING btree (merchant_id, created_at);
CREATE INDEX payouts_by_state ON public.payouts USING btree (state, created_at) WHERE (state <> 'sent'::text);
CREATE INDEX payouts_due ON public.payouts USING btree (next_at) WHERE (state = ANY (ARRAY['ready'::text, 'calling'::text, 'asking'::text]));
CREATE INDEX payouts_in_flight ON public.payouts USING btree (source_account_id) WHERE (state = ANY (ARRAY['ready'::text, 'calling'::text, 'asking'::text]));
CREATE INDEX payouts_without_credit ON public.payouts USING btree (updated_at) WHERE ((state = 'returned'::text) AND (credit_line_id IS NULL));
CREATE INDEX payouts_without_debit ON public.payouts USING btree (updated_at) WHERE ((state = ANY (ARRAY['sent'::text, 'returned'::text])) AND (debit_line_id IS NULL));
CREATE UNIQUE INDEX payouts_reference ON public.payouts USING btree (withdrawal_id);
CREATE TRIGGER payouts_terms_fixed BEFORE UPDATE OF merchant_id, withdrawal_id, source_account_id, connection, amount, currency, iban, account_name ON public.payouts FOR EACH ROW EXECUTE FUNCTION refuse_all_but_erasing('withdrawal_id', 'iban account_name');

create table proposal_subjects (
  subject text collate "C" not null,
  proposal_id text collate "C" not null,
  kind text not null,
  proposed_by text not null,
  open_until timestamp with time zone,
  constraint proposal_subjects_pkey PRIMARY KEY (subject)
);
CREATE INDEX proposal_subjects_by_proposal ON public.proposal_subjects USING btree (proposal_id);

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
  proposed_at timestamp with time zone not null,
  state text not null default 'open'::text,
  decided_by text,
  decided_at timestamp with time zone,
  note text,
  constraint proposals_pkey PRIMARY KEY (id),
  constraint proposals_decided CHECK (((state = 'open'::text) = (decided_at IS NULL))),
  constraint proposals_decided_by_someone CHECK (((state = ANY (ARRAY['open'::text, 'expired'::text])) = (decided_by IS NULL))),
  constraint proposals_known_state CHECK ((state = ANY (ARRAY['open'::text, 'applied'::text, 'rejected'::text, 'withdrawn'::text, 'expired'::text]))),
  constraint proposals_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint proposals_two_people CHECK (((state <> 'applied'::text) OR (decided_by <> proposed_by)))
);
CREATE INDEX proposals_about ON public.proposals USING btree (target);
CREATE INDEX proposals_by_merchant ON public.proposals USING btree (merchant_id, id);
CREATE INDEX proposals_to_expire ON public.proposals USING btree (proposed_at) WHERE (state = 'open'::text);
CREATE TRIGGER proposals_never_deleted BEFORE DELETE OR TRUNCATE ON public.proposals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER proposals_terms_fixed BEFORE UPDATE ON public.proposals FOR EACH ROW WHEN (((old.id IS DISTINCT FROM new.id) OR (old.kind IS DISTINCT FROM new.kind) OR (old.target IS DISTINCT FROM new.target) OR (old.merchant_id IS DISTINCT FROM new.merchant_id) OR (((old.payload IS DISTINCT FROM new.payload) OR (old.description IS DISTINCT FROM new.description)) AND (NOT ((new.state <> 'open'::text) AND (new.payload = 'null'::text)))) OR (old.payload_sha256 IS DISTINCT FROM new.payload_sha256) OR (old.seen_sha256 IS DISTINCT FROM new.seen_sha256) OR (old.reason IS DISTINCT FROM new.reason) OR (old.proposed_by IS DISTINCT FROM new.proposed_by) OR (old.proposed_at IS DISTINCT FROM new.proposed_at) OR (old.state <> 'open'::text))) EXECUTE FUNCTION refuse_all_but_erasing('target', 'reason note');

create table rejected_addresses (
  merchant_id text collate "C" not null,
  address text not null,
  times bigint not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  constraint rejected_addresses_pkey PRIMARY KEY (merchant_id, address),
  constraint rejected_addresses_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);

create table restores (
  number integer not null,
  restored_to timestamp with time zone not null,
  marked_by text not null,
  marked_at timestamp with time zone not null,
  released_by text,
  released_at timestamp with time zone,
  note text,
  constraint restores_pkey PRIMARY KEY (number),
  constraint restores_released_by_someone CHECK (((released_at IS NULL) = (released_by IS NULL)))
);
CREATE UNIQUE INDEX restores_one_open ON public.restores USING btree (((released_at IS NULL))) WHERE (released_at IS NULL);

create table saved_views (
  login_id text collate "C" not null,
  id text collate "C" not null,
  number integer not null,
  name text not null,
  query text not null,
  created_at timestamp with time zone not null,
  constraint saved_views_pkey PRIMARY KEY (login_id, id),
  constraint saved_views_bounded UNIQUE (login_id, number),
  constraint saved_views_known_number CHECK (((number >= 1) AND (number <= 20))),
  constraint saved_views_login FOREIGN KEY (login_id) REFERENCES logins(id),
  constraint saved_views_name_once UNIQUE (login_id, name),
  constraint saved_views_short CHECK (((char_length(name) >= 1) AND (char_length(name) <= 60) AND (char_length(query) <= 500)))
);

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null,
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table sending (
  only_row boolean not null default true,
  id uuid not null default gen_random_uuid(),
  number bigint not null default 0,
  timeline text not null,
  at timestamp with time zone not null,
  since timestamp with time zone not null,
  confirmed_by text[] not null default '{}'::text[],
  constraint sending_pkey PRIMARY KEY (only_row),
  constraint sending_counts_up CHECK ((number >= 0)),
  constraint sending_one_row CHECK (only_row)
);

create table sessions (
  id text collate "C" not null,
  token_hash text not null,
  login_id text collate "C" not null,
  kind text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  idle_seconds integer not null,
  ends_at timestamp with time zone not null,
  second_factor_at timestamp with time zone,
  stepped_up_at timestamp with time zone,
  address text,
  user_agent text,
  revoked_at timestamp with time zone,
  mark text,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_bounded_texts CHECK (((length(address) <= 64) AND (length(user_agent) <= 200))),
  constraint sessions_known_kind CHECK ((kind = ANY (ARRAY['browser'::text, 'command_line'::text]))),
  constraint sessions_login FOREIGN KEY (login_id) REFERENCES logins(id),
  constraint sessions_token UNIQUE (token_hash)
);
CREATE INDEX sessions_by_end ON public.sessions USING btree (ends_at);
CREATE INDEX sessions_of_login ON public.sessions USING btree (login_id);

create table set_aside (
  what text not null,
  id text collate "C" not null,
  error text not null,
  failures integer not null,
  since timestamp with time zone not null,
  retry_at timestamp with time zone not null,
  constraint set_aside_pkey PRIMARY KEY (what, id),
  constraint set_aside_known_what CHECK ((what = ANY (ARRAY['withdrawal'::text, 'payout'::text, 'deposit'::text, 'line'::text, 'event'::text, 'callback'::text, 'refund'::text, 'settlement'::text])))
);

create table settlement_accounts (
  merchant_id text collate "C" not null,
  number integer not null,
  iban text not null,
  title text not null,
  proposed_by text not null,
  confirmed_by text not null,
  confirmed_at timestamp with time zone not null,
  mark text not null,
  constraint settlement_accounts_pkey PRIMARY KEY (merchant_id, number),
  constraint settlement_accounts_confirmer FOREIGN KEY (confirmed_by) REFERENCES operators(name),
  constraint settlement_accounts_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint settlement_accounts_proposer FOREIGN KEY (proposed_by) REFERENCES operators(name),
  constraint settlement_accounts_two_people CHECK ((proposed_by <> confirmed_by))
);
CREATE TRIGGER settlement_accounts_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.settlement_accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table settlements (
  merchant_id text collate "C" not null,
  day date not null,
  number integer not null,
  requested_by text,
  amount bigint not null,
  withdrawal_id text collate "C",
  created_at timestamp with time zone not null,
  constraint settlements_pkey PRIMARY KEY (merchant_id, day, number),
  constraint settlements_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint settlements_sent CHECK ((((withdrawal_id IS NULL) AND (amount = 0) AND (requested_by IS NULL)) OR ((withdrawal_id IS NOT NULL) AND (amount > 0))))
);
CREATE UNIQUE INDEX settlements_one_scheduled ON public.settlements USING btree (merchant_id, day) WHERE (requested_by IS NULL);
CREATE TRIGGER settlements_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.settlements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table spent_requests (
  merchant_id text collate "C" not null,
  signature text collate "C" not null,
  received_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  refusal json,
  constraint spent_requests_pkey PRIMARY KEY (merchant_id, signature)
);
CREATE INDEX spent_requests_to_prune ON public.spent_requests USING btree (expires_at);

create table statement_cursors (
  source text not null,
  cursor text not null,
  read_at timestamp with time zone,
  constraint statement_cursors_pkey PRIMARY KEY (source)
);

create table statement_file_parts (
  file_id text collate "C" not null,
  number integer not null,
  data bytea not null,
  constraint statement_file_parts_pkey PRIMARY KEY (file_id, number),
  constraint statement_file_parts_file FOREIGN KEY (file_id) REFERENCES statement_files(id)
);
CREATE TRIGGER statement_file_parts_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.statement_file_parts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table statement_files (
  id text collate "C" not null,
  connection text collate "C" not null,
  name text not null,
  sha256 text collate "C" not null,
  size integer not null,
  format text not null,
  profile json,
  account_iban text,
  state text not null,
  checks json not null,
  accepted_why text,
  lines integer,
  pending integer,
  unread integer,
  created_by text not null,
  created_at timestamp with time zone not null,
  imported_at timestamp with time zone,
  undone_by text,
  undone_at timestamp with time zone,
  undone_why text,
  approved_lines bytea,
  approved_sha256 text,
  stopped_why text,
  constraint statement_files_pkey PRIMARY KEY (id),
  constraint statement_files_imported CHECK (((state <> 'imported'::text) OR (num_nonnulls(imported_at, lines, pending, unread) = 4))),
  constraint statement_files_known_format CHECK ((format = ANY (ARRAY['camt.052'::text, 'camt.053'::text, 'camt.054'::text, 'mt940'::text, 'mt942'::text, 'csv'::text, 'xlsx'::text]))),
  constraint statement_files_known_state CHECK ((state = ANY (ARRAY['storing'::text, 'importing'::text, 'imported'::text, 'undone'::text]))),
  constraint statement_files_undone CHECK ((num_nonnulls(undone_by, undone_at, undone_why) =
CASE state
    WHEN 'undone'::text THEN 3
    ELSE 0
END))
);
CREATE INDEX statement_files_interrupted ON public.statement_files USING btree (created_at) WHERE (state = 'importing'::text);
CREATE UNIQUE INDEX statement_files_once ON public.statement_files USING btree (sha256) WHERE (state <> 'undone'::text);

create table statements (
  id text collate "C" not null,
  collecting_account_id text collate "C" not null,
  connection text collate "C" not null,
  from_day date not null,
  to_day date not null,
  opening_balance bigint,
  closing_balance bigint,
  created_at timestamp with time zone not null,
  balances_file_id text collate "C",
  newest_line_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint statements_pkey PRIMARY KEY (id),
  constraint statements_account FOREIGN KEY (collecting_account_id) REFERENCES collecting_accounts(id),
  constraint statements_balances_file FOREIGN KEY (balances_file_id) REFERENCES statement_files(id),
  constraint statements_once UNIQUE (collecting_account_id, from_day, to_day, connection),
  constraint statements_period CHECK ((from_day <= to_day))
);
CREATE INDEX statements_by_day ON public.statements USING btree (from_day, id);
CREATE INDEX statements_by_newest_line ON public.statements USING btree (newest_line_at);

create table status_history (
  merchant_id text collate "C" not null,
  transaction_id text collate "C" not null,
  sequence integer not null,
  from_status text not null,
  to_status text not null,
  reason text,
  changed_at timestamp with time zone not null,
  constraint status_history_pkey PRIMARY KEY (merchant_id, transaction_id, sequence)
);
CREATE TRIGGER status_history_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.status_history FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table totp_secrets (
  login_id text collate "C" not null,
  id text collate "C" not null,
  sealed text not null,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  last_step integer not null default 0,
  constraint totp_secrets_pkey PRIMARY KEY (login_id, id),
  constraint totp_secrets_login FOREIGN KEY (login_id) REFERENCES logins(id)
);
CREATE UNIQUE INDEX totp_secrets_one_confirmed ON public.totp_secrets USING btree (login_id) WHERE (confirmed_at IS NOT NULL);

create table transfers (
  merchant_id text collate "C" not null,
  subject_id text collate "C" not null,
  id text collate "C" not null,
  from_account text collate "C" not null,
  to_account text collate "C" not null,
  currency text not null,
  amount bigint not null,
  created_at timestamp with time zone not null,
  entry_id text collate "C" not null,
  kind text not null,
  effective_on date not null,
  actor text not null,
  about_day date,
  constraint transfers_pkey PRIMARY KEY (merchant_id, subject_id, id),
  constraint transfers_about_earlier_day CHECK ((about_day < effective_on)),
  constraint transfers_between_two CHECK ((from_account <> to_account)),
  constraint transfers_from_account FOREIGN KEY (from_account, currency) REFERENCES accounts(id, currency),
  constraint transfers_known_kind CHECK ((kind = ANY (ARRAY['withdrawal_hold'::text, 'withdrawal_release'::text, 'withdrawal_submission'::text, 'withdrawal_settlement'::text, 'withdrawal_refusal'::text, 'withdrawal_return'::text, 'deposit_settlement'::text, 'deposit_reversal'::text, 'suspense_receipt'::text, 'suspense_clearing'::text, 'suspense_reversal'::text, 'debit_receipt'::text, 'debit_clearing'::text, 'journal_own_transfer'::text, 'journal_bank_charge'::text, 'journal_bank_tax'::text, 'journal_interest'::text, 'journal_receivable'::text, 'journal_fee_withdrawal'::text, 'journal_refund'::text, 'journal_refund_failure'::text, 'journal_storno'::text, 'journal_own_funds'::text, 'journal_opening_balance'::text, 'journal_reversal'::text, 'correction'::text]))),
  constraint transfers_positive CHECK ((amount > 0)),
  constraint transfers_to_account FOREIGN KEY (to_account, currency) REFERENCES accounts(id, currency)
);
CREATE INDEX transfers_by_day ON public.transfers USING brin (effective_on) WITH (autosummarize='on');
CREATE TRIGGER transfers_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transfers_in_open_day AFTER INSERT ON public.transfers FOR EACH ROW WHEN ((new.effective_on < ((new.created_at AT TIME ZONE 'Europe/Istanbul'::text))::date)) EXECUTE FUNCTION refuse_closed_day();

create table unread_lines (
  source text not null,
  raw_hash text collate "C" not null,
  raw text not null,
  why jsonb not null,
  created_at timestamp with time zone not null,
  taken_in_at timestamp with time zone,
  taken_in_by text,
  uploaded_file_id text collate "C",
  closed_at timestamp with time zone,
  closed_by text,
  close_reason text,
  named_ids text[] not null default ids_in(regexp_replace(raw, '\\(u[0-9a-fA-F]{4}|.)'::text, ''::text, 'g'::text)),
  constraint unread_lines_pkey PRIMARY KEY (source, raw_hash),
  constraint unread_lines_close_reason CHECK ((char_length(close_reason) >= 5)),
  constraint unread_lines_closed CHECK ((((closed_at IS NULL) = (closed_by IS NULL)) AND ((closed_at IS NULL) = (close_reason IS NULL)))),
  constraint unread_lines_file FOREIGN KEY (uploaded_file_id) REFERENCES statement_files(id)
);
CREATE INDEX unread_lines_by_hash ON public.unread_lines USING btree (raw_hash);
CREATE INDEX unread_lines_naming ON public.unread_lines USING gin (named_ids) WITH (fastupdate=off) WHERE ((taken_in_at IS NULL) AND (named_ids <> '{}'::text[]));
CREATE INDEX unread_lines_open ON public.unread_lines USING btree (created_at) WHERE (taken_in_at IS NULL);
CREATE INDEX unread_lines_to_retry ON public.unread_lines USING btree (source, raw_hash) WHERE (taken_in_at IS NULL);
CREATE INDEX unread_lines_waiting ON public.unread_lines USING btree (created_at) WHERE ((taken_in_at IS NULL) AND ((why ->> 'why'::text) <> ALL (ARRAY['unread_other_side'::text, 'unread_amount_zero'::text])));

create table upload_parts (
  upload_id text collate "C" not null,
  number integer not null,
  data bytea not null,
  constraint upload_parts_pkey PRIMARY KEY (upload_id, number),
  constraint upload_parts_upload FOREIGN KEY (upload_id) REFERENCES uploads(id) ON DELETE CASCADE
);

create table uploads (
  id text collate "C" not null,
  owner text collate "C" not null,
  purpose text not null,
  name text not null,
  size integer not null default 0,
  sha256 text,
  created_at timestamp with time zone not null,
  constraint uploads_pkey PRIMARY KEY (id)
);
CREATE INDEX uploads_by_age ON public.uploads USING btree (created_at);
CREATE INDEX uploads_by_owner ON public.uploads USING btree (owner, purpose, id);

create table withdrawals (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  process_id text collate "C" not null,
  amount bigint not null,
  fee bigint not null,
  currency text not null,
  status text not null,
  sequence integer not null default 0,
  bank_id text collate "C",
  iban text not null,
  account_name text not null,
  user_id text not null,
  user_name text not null,
  name text not null,
  failure_reason text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  state text not null default 'queued'::text,
  state_reason text,
  first_time_iban boolean not null default false,
  rail text,
  source_account_id text collate "C",
  scheduled_for timestamp with time zone,
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
  stopped_at timestamp with time zone,
  constraint withdrawals_pkey PRIMARY KEY (merchant_id, id),
  constraint withdrawals_approved_by_two CHECK (((cardinality(approved_by) = 2) AND (approved_by[1] <> approved_by[2]))),
  constraint withdrawals_failed_for_a_reason CHECK (((status = 'failed'::text) = (failure_reason IS NOT NULL))),
  constraint withdrawals_known_state CHECK ((state = ANY (ARRAY['awaiting_approval'::text, 'queued'::text, 'sending'::text, 'unknown'::text, 'sent'::text, 'returned'::text, 'failed'::text]))),
  constraint withdrawals_one_purpose CHECK (((refund_of IS NULL) OR (NOT settlement))),
  constraint withdrawals_positive CHECK (((amount > 0) AND (fee >= 0))),
  constraint withdrawals_process_id UNIQUE (merchant_id, process_id),
  constraint withdrawals_state_fits_status CHECK ((status =
CASE
    WHEN (state = ANY (ARRAY['awaiting_approval'::text, 'queued'::text])) THEN 'pending'::text
    WHEN (state = ANY (ARRAY['sending'::text, 'unknown'::text])) THEN 'processing'::text
    WHEN (state = ANY (ARRAY['sent'::text, 'returned'::text])) THEN 'completed'::text
    WHEN (state = 'failed'::text) THEN 'failed'::text
    ELSE NULL::text
END)),
  constraint withdrawals_stopped CHECK ((num_nulls(stopped_by, stop_reason, stopped_at) = ANY (ARRAY[0, 3])))
);
CREATE INDEX withdrawals_by_amount ON public.withdrawals USING btree (amount, id) WHERE (status <> 'pending'::text);
CREATE INDEX withdrawals_by_entries ON public.withdrawals USING gin (((search_entries(substr(id, 1, 3), amount, ((((((user_id || ' '::text) || user_name) || ' '::text) || name) || ' '::text) || account_name)) || search_entries(((substr(id, 1, 3) || '/'::text) || "right"(merchant_id, 6)), amount, ((((((user_id || ' '::text) || user_name) || ' '::text) || name) || ' '::text) || account_name))))) WITH (fastupdate=off) WHERE (status <> 'pending'::text);
CREATE INDEX withdrawals_by_iban ON public.withdrawals USING btree (reverse(iban) COLLATE "C", id) WHERE (status <> 'pending'::text);
CREATE INDEX withdrawals_by_state ON public.withdrawals USING btree (state, id) WHERE (state <> 'queued'::text);
CREATE INDEX withdrawals_no_longer_pending ON public.withdrawals USING btree ((((merchant_id || '/'::text) || status)), id) WHERE (status <> 'pending'::text);
CREATE INDEX withdrawals_refunds ON public.withdrawals USING btree (merchant_id, refund_of) WHERE (refund_of IS NOT NULL);
CREATE INDEX withdrawals_to_known_ibans ON public.withdrawals USING btree (merchant_id, iban) WHERE (status = 'completed'::text);
CREATE INDEX withdrawals_to_send ON public.withdrawals USING btree (id) WHERE (state = 'queued'::text);
CREATE TRIGGER withdrawals_end_without_payout BEFORE UPDATE OF status ON public.withdrawals FOR EACH ROW WHEN (((old.status = 'pending'::text) AND (new.status = 'failed'::text))) EXECUTE FUNCTION refuse_end_with_payout();
CREATE TRIGGER withdrawals_never_deleted BEFORE DELETE OR TRUNCATE ON public.withdrawals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER withdrawals_stop_fixed BEFORE UPDATE OF stopped_by, stop_reason, stopped_at ON public.withdrawals FOR EACH ROW WHEN ((old.stopped_at IS NOT NULL)) EXECUTE FUNCTION refuse_all_but_erasing('id', 'iban account_name user_id user_name name metadata refund_reason stop_reason');
CREATE TRIGGER withdrawals_terms_fixed BEFORE UPDATE OF merchant_id, id, process_id, amount, fee, currency, iban, account_name, refund_of, refund_reason, settlement, approval_required ON public.withdrawals FOR EACH ROW EXECUTE FUNCTION refuse_all_but_erasing('id', 'iban account_name user_id user_name name metadata refund_reason stop_reason');

create table word_marks (
  name text collate "C" not null,
  mark text not null,
  constraint word_marks_pkey PRIMARY KEY (name)
);
CREATE TRIGGER word_marks_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.word_marks FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table worker_runs (
  worker text collate "C" not null,
  every_ms integer not null,
  succeeded_at timestamp with time zone not null,
  host text not null,
  constraint worker_runs_pkey PRIMARY KEY (worker)
);

create view day_lines as
 SELECT l.id,
    l.collecting_account_id,
    s.from_day AS day,
        CASE l.direction
            WHEN 'credit'::text THEN l.amount
            ELSE - l.amount
        END AS amount,
    l.currency,
    l.direction,
    l.state,
    l.reason,
    l.statement_id
   FROM bank_lines l
     JOIN statements s ON s.id = l.statement_id;

create view transaction_numbers as
 SELECT deposits.merchant_id,
    deposits.id,
    'deposit'::text AS type,
    deposits.process_id
   FROM deposits
UNION ALL
 SELECT withdrawals.merchant_id,
    withdrawals.id,
    'withdraw'::text AS type,
    withdrawals.process_id
   FROM withdrawals;
