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

create or replace function search_query(given text) returns tsquery language sql immutable parallel safe strict as $$
  select string_agg('''' || word || '''' || case when place = cardinality(words) and length(word) >= 3 then ':*' else '' end, ' & ')::tsquery
  from search_tokens(given) as words, unnest(words) with ordinality as one (word, place)
$$;
