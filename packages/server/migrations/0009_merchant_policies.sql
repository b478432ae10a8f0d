-- How a merchant wants arriving money to be judged, and how its name looks on the checkout page.
alter table merchants
  add column amount_policy text not null default 'exact',
  add column amount_tolerance bigint not null default 0,
  add column late_policy text not null default 'complete',
  add column name_check text not null default 'warn',
  add column display_name text,
  add column accent text,
  add column logo bytea,
  add constraint merchants_amount_policy check (amount_policy in ('exact', 'tolerance', 'accept_received')),
  add constraint merchants_amount_tolerance check (amount_tolerance >= 0),
  add constraint merchants_late_policy check (late_policy in ('complete', 'review')),
  add constraint merchants_name_check check (name_check in ('off', 'warn', 'require')),
  add constraint merchants_accent check (accent ~ '^#[0-9a-f]{6}$'),
  add constraint merchants_small_logo check (octet_length(logo) <= 32768);
