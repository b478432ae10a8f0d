-- The positions of a claim become one text, neighbours as a range ("5-7,9"): a lane with a thousand calls under way is read and written
-- dozens of times a second. Those that stand now are put one by one, which is the same.
update callback_lanes l set claims = (
  select json_agg(json_build_object('fence', claim -> 'fence', 'until', claim -> 'until', 'positions',
    (select string_agg(position, ',') from json_array_elements_text(claim -> 'positions') as position)))
  from json_array_elements(l.claims) as claim
) where json_array_length(l.claims) > 0;
