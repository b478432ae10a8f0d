-- A search by name reads the newest rows first and ends when a page is full: words are indexed together with the days of
-- the row's id, so that a common word costs what is found, not what there is.

-- The words of a text, folded as by search_words, each behind the span of the row's id: its first three digits,
-- twelve days. Built-in immutable functions only and not `strict`, for the reasons given in 0028_growth.sql.
create function search_keys(id text, given text) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array_remove(string_to_array(substr(id, 1, 3) || replace(translate(
    lower(left(given, 500) collate "C"),
    'çğıöşüâîûÇĞİÖŞÜÂÎÛýþðÝÞÐáàäãåéèêëíìïóòôõúùñÁÀÄÃÅÉÈÊËÍÌÏÓÒÔÕÚÙÑ'
      || ' !"#$%&''()*+,-./:;<=>?@[\]^_`{|}~' || chr(9) || chr(10) || chr(13) || chr(160)
      || chr(774) || chr(775) || chr(776) || chr(770) || chr(807),
    'cgiosuaiucgiosuaiuisgisgaaaaaeeeeiiioooouunaaaaaeeeeiiioooouun' || repeat(' ', 37)
  ), ' ', ' ' || substr(id, 1, 3)), ' '), substr(id, 1, 3)))
$$;

-- All words of the text, up to eight, in one of these spans; the last word may be a beginning.
create function search_query(given text, spans text[]) returns tsquery language sql immutable parallel safe strict as $$
  select string_agg('(' || replace(pattern.words, '~', span) || ')', ' | ')::tsquery from unnest(spans) as span, (
    select string_agg('''~' || word || '''' || case when place = cardinality(words) and length(word) >= 3 then ':*' else '' end, ' & ') as words
    from (select (search_tokens(given))[1:8] as words) as all_words, unnest(words) with ordinality as w (word, place)
  ) as pattern
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
