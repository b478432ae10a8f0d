-- A search by name reads the newest rows first and ends when a page is full: words are indexed together with the three
-- days of the row's id, so that a common word costs what is found, not what there is.

-- The words of a text, folded as by search_words, each behind the span of the row's id: the first four digits of an id are
-- 65,536 seconds, and four of these are one span. Built-in immutable functions only and not `strict`, for the reasons given in 0028_growth.sql.
create function search_keys(id text, given text) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array_remove(string_to_array(substr(id, 1, 3) || translate(substr(id, 4, 1), '1235679abdef', '000444888ccc') || replace(translate(
    lower(left(given, 500) collate "C"),
    'çğıöşüâîûÇĞİÖŞÜÂÎÛýþðÝÞÐáàäãåéèêëíìïóòôõúùñÁÀÄÃÅÉÈÊËÍÌÏÓÒÔÕÚÙÑ'
      || ' !"#$%&''()*+,-./:;<=>?@[\]^_`{|}~' || chr(9) || chr(10) || chr(13) || chr(160)
      || chr(774) || chr(775) || chr(776) || chr(770) || chr(807),
    'cgiosuaiucgiosuaiuisgisgaaaaaeeeeiiioooouunaaaaaeeeeiiioooouun' || repeat(' ', 37)
  ), ' ', ' ' || substr(id, 1, 3) || translate(substr(id, 4, 1), '1235679abdef', '000444888ccc')), ' '), substr(id, 1, 3) || translate(substr(id, 4, 1), '1235679abdef', '000444888ccc')))
$$;

-- All words of the text, up to eight, in one of these spans; the last word may be a beginning.
create function search_query(given text, spans text[]) returns tsquery language sql immutable parallel safe strict as $$
  select string_agg('(' || one.query || ')', ' | ')::tsquery from unnest(spans) as span, lateral (
    select string_agg('''' || span || word || '''' || case when place = cardinality(words) and length(word) >= 3 then ':*' else '' end, ' & ') as query
    from (select (search_tokens(given))[1:8] as words) as all_words, unnest(words) with ordinality as w (word, place)
  ) as one
$$;

-- The spans between two ids, newest first, in lists that grow: most searches end in the first ones. At most 64, because the
-- time to begin a search grows with the square of its words.
create function search_steps(oldest text, newest text) returns setof text[] language plpgsql immutable strict as $$
declare
  first constant int := ('x' || substr(oldest, 1, 4))::bit(16)::int / 4;
  at int := ('x' || substr(newest, 1, 4))::bit(16)::int / 4;
  size int := 1;
begin
  while at >= first loop
    return next array(select lpad(to_hex(n * 4), 4, '0') from generate_series(at, greatest(at - size + 1, first), -1) as n);
    at := at - size;
    size := least(size * 2, 64);
  end loop;
end
$$;
