-- Claims move from each delivery to its lane, as one list in a row that is written anyway: a claim of a hundred deliveries was a
-- hundred updates. A list is {fence, until, positions}.
alter table callback_lanes
  -- Every claim counts it up; an answer counts while the claim it was made under stands on the list.
  add column fence int not null default 0,
  add column claims json not null default '[]';
-- Above every number that an attempt has had, so that the next ones are new.
update callback_lanes l set fence = coalesce(
  (select max(d.fence) from deliveries d where d.merchant_id = l.merchant_id and d.endpoint_id = l.endpoint_id), 0);

-- What has arrived is told by its attempts; a delivery is what is still to be done, or was given up.
delete from deliveries where state = 'delivered';
alter table deliveries
  drop constraint deliveries_claimed_while_waiting,
  drop constraint deliveries_known_state,
  drop column claimed_until,
  drop column fence,
  add constraint deliveries_known_state check (state in ('waiting', 'behind', 'given_up'));
