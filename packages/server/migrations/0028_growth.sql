-- online: indexes of large tables.
-- Indexes that keep lists, look-ups and `vezne find` as fast at a million rows as at ten thousand. Those marked "at creation" are
-- entered by POST /v1/deposit or POST /v1/withdraw; the others leave out rows that are pending, and are entered by workers.

-- GET /v1/transactions?status=…: every status, also one without hits. At creation. By an expression, so that no plan for another
-- statement prefers it to its own index: a plan made while a table was empty cannot tell them apart.
create index concurrently if not exists deposits_by_status on deposits (((merchant_id || '/' || status) collate "C"), id);
create index concurrently if not exists withdrawals_by_status on withdrawals (((merchant_id || '/' || status) collate "C"), id);

-- GET /v1/events?type=…: entered when an event gets its position.
create index concurrently if not exists events_by_type on events (merchant_id, type, position) where position is not null;

-- `withdrawal list --stage`. What is queued is in withdrawals_to_send.
create index concurrently if not exists withdrawals_by_stage on withdrawals (stage, id) where stage <> 'queued';
drop index concurrently if exists withdrawals_to_approve;

-- `line list --state`. New lines are in bank_lines_to_match; matched ones are most of the table, so that the primary key finds a page.
create index concurrently if not exists bank_lines_by_state on bank_lines (state, id) where state in ('suspense', 'queue', 'dismissed');
drop index concurrently if exists bank_lines_for_people;

-- `payout list`, and what every account has sent today. Accepted ones are most of the table.
create index concurrently if not exists payouts_by_day on payouts (created_at);
drop index concurrently if exists payouts_by_source_and_day;
create index concurrently if not exists payouts_by_state on payouts (state, created_at) where state <> 'accepted';

-- `line unread` and `doctor`: what was taken in stays in the table.
create index concurrently if not exists unread_lines_open on unread_lines (created_at) where taken_in_at is null;

-- The words of a text in one spelling: lower case, Turkish and western accents and the mistakes of wrongly read files removed,
-- punctuation as spaces. Built-in functions only, so that a restore can compute it. 500 characters: a word of an index has a limit.
-- Not `strict`: then it could not be inlined, and a call would cost ten times as much.
create or replace function search_words(given text) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array_remove(string_to_array(translate(
    lower(left(given, 500) collate "C"),
    'çğıöşüâîûÇĞİÖŞÜÂÎÛýþðÝÞÐáàäãåéèêëíìïóòôõúùñÁÀÄÃÅÉÈÊËÍÌÏÓÒÔÕÚÙÑ'
      || ' !"#$%&''()*+,-./:;<=>?@[\]^_`{|}~' || chr(9) || chr(10) || chr(13) || chr(160)
      || chr(774) || chr(775) || chr(776) || chr(770) || chr(807),
    'cgiosuaiucgiosuaiuisgisgaaaaaeeeeiiioooouunaaaaaeeeeiiioooouun' || repeat(' ', 37)
  ), ' '), ''))
$$;

-- Every word must be there; from three characters on the beginning of a word is enough. Null without a word.
create or replace function search_query(given text) returns tsquery language sql immutable strict parallel safe as $$
  select string_agg('''' || word || '''' || case when length(word) >= 3 then ':*' else '' end, ' & ')::tsquery
  from unnest(tsvector_to_array(search_words(given))) as word
$$;

-- `vezne find`. Entered when a transaction leaves `pending`; those that are pending are few and read one by one.
create index concurrently if not exists deposits_by_amount on deposits (amount, id) where status <> 'pending';
create index concurrently if not exists deposits_by_customer on deposits
  using gin (search_words(customer_id || ' ' || customer_name || ' ' || customer_username))
  with (fastupdate = off) where status <> 'pending';
create index concurrently if not exists withdrawals_by_amount on withdrawals (amount, id) where status <> 'pending';
-- Backwards: the end of an IBAN is what people read out.
create index concurrently if not exists withdrawals_by_iban on withdrawals ((reverse(iban)) collate "C", id) where status <> 'pending';
create index concurrently if not exists withdrawals_by_customer on withdrawals
  using gin (search_words(user_id || ' ' || user_name || ' ' || name || ' ' || account_name))
  with (fastupdate = off) where status <> 'pending';
create index concurrently if not exists bank_lines_by_amount on bank_lines (amount, id);
create index concurrently if not exists bank_lines_by_iban on bank_lines ((reverse(sender_iban)) collate "C", id) where sender_iban is not null;
create index concurrently if not exists bank_lines_by_sender on bank_lines using gin (search_words(sender_name)) with (fastupdate = off);
