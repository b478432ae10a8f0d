-- online: indexes of large tables.
-- The search of the merchant console. The indexes of words get the merchant and the amount of each row, so that a merchant
-- with few rows reads few, and so that a name and an amount typed together are found by both.

-- Merchant and amount, each behind the span of the row's id, as its words are (0080). No word has these signs. Not `strict`, as
-- in 0028_growth.sql.
create or replace function search_marks(id text, merchant_id text, amount bigint) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array[substr(id, 1, 3) || '/' || merchant_id, substr(id, 1, 3) || '=' || amount::text])
$$;

-- One of these marks, in one of these spans. Ids and amounts have no quotes.
create or replace function search_marked(spans text[], marks text[]) returns tsquery language sql immutable parallel safe strict as $$
  select string_agg('''' || span || mark || '''', ' | ')::tsquery from unnest(spans) as span, unnest(marks) as mark
$$;

-- Pending rows are in none of them, because creation would enter it. The version before reads its table while it is replaced.
create index concurrently if not exists deposits_by_words on deposits
  using gin ((search_keys(id, customer_id || ' ' || customer_name || ' ' || customer_username) || search_marks(id, merchant_id, amount)))
  with (fastupdate = off) where status <> 'pending';
drop index concurrently if exists deposits_by_customer_and_time;

create index concurrently if not exists withdrawals_by_words on withdrawals
  using gin ((search_keys(id, user_id || ' ' || user_name || ' ' || name || ' ' || account_name) || search_marks(id, merchant_id, amount)))
  with (fastupdate = off) where status <> 'pending';
drop index concurrently if exists withdrawals_by_customer_and_time;
