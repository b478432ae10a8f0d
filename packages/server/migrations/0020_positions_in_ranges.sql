-- The positions of a claim become one text, neighbours as a range ("5-7,9"): a lane with a thousand calls under way is read and written
-- dozens of times a second. Under a new name, so that a process of the version before stops instead of writing its own form beside it.
alter table callback_lanes rename column claims to claimed;
-- Those that stand now are put one by one, which is the same.
update callback_lanes l set claimed = (
  select json_agg(json_build_object('fence', claim -> 'fence', 'until', claim -> 'until', 'positions',
    (select coalesce(string_agg(position, ','), '') from json_array_elements_text(claim -> 'positions') as position)))
  from json_array_elements(l.claimed) as claim
) where json_array_length(l.claimed) > 0;
