-- online: indexes of large tables.
-- A merchant's search reads entries of that merchant only. Before, the beginning of a common name was read of all merchants. And
-- bank lines get their amount, so that a name and an amount typed together are found by both.

-- The amount and the words of a row, folded as by search_words, each behind this prefix. Amounts have a sign that no word has.
-- Built-in immutable functions only and not `strict`, for the reasons given in 0028_growth.sql.
create or replace function search_entries(prefix text, amount bigint, given text) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array_remove(string_to_array(prefix || '=' || amount::text || ' ' || prefix || replace(translate(
    lower(left(given, 500) collate "C"),
    'çğıöşüâîûÇĞİÖŞÜÂÎÛýþðÝÞÐáàäãåéèêëíìïóòôõúùñÁÀÄÃÅÉÈÊËÍÌÏÓÒÔÕÚÙÑ'
      || ' !"#$%&''()*+,-./:;<=>?@[\]^_`{|}~' || chr(9) || chr(10) || chr(13) || chr(160)
      || chr(774) || chr(775) || chr(776) || chr(770) || chr(807),
    'cgiosuaiucgiosuaiuisgisgaaaaaeeeeiiioooouunaaaaaeeeeiiioooouun' || repeat(' ', 37)
  ), ' ', ' ' || prefix), ' '), prefix))
$$;

-- Prefixes of entries: the spans of search_steps (0080), of all merchants or of one. Six digits of its id: rows of another
-- merchant with the same ones are read and left out.
create or replace function search_prefixes(oldest text, newest text, merchant_id text) returns setof text[] language sql immutable parallel safe as $$
  select array(select span || coalesce('/' || right(merchant_id, 6), '') from unnest(spans) as span)
  from search_steps(oldest, newest) as spans
$$;

-- Pending rows are in none of them, because creation would enter it. The version before reads its table while it is replaced;
-- search_keys and search_marks stay for it.
create index concurrently if not exists deposits_by_entries on deposits using gin ((
    search_entries(substr(id, 1, 3), amount, customer_id || ' ' || customer_name || ' ' || customer_username)
    || search_entries(substr(id, 1, 3) || '/' || right(merchant_id, 6), amount, customer_id || ' ' || customer_name || ' ' || customer_username)
  )) with (fastupdate = off) where status <> 'pending';
drop index concurrently if exists deposits_by_words;

create index concurrently if not exists withdrawals_by_entries on withdrawals using gin ((
    search_entries(substr(id, 1, 3), amount, user_id || ' ' || user_name || ' ' || name || ' ' || account_name)
    || search_entries(substr(id, 1, 3) || '/' || right(merchant_id, 6), amount, user_id || ' ' || user_name || ' ' || name || ' ' || account_name)
  )) with (fastupdate = off) where status <> 'pending';
drop index concurrently if exists withdrawals_by_words;

create index concurrently if not exists bank_lines_by_entries on bank_lines
  using gin (search_entries(substr(id, 1, 3), amount, sender_name)) with (fastupdate = off);
drop index concurrently if exists bank_lines_by_sender_and_time;
