-- A logo for dark pages, whether the other one needs a background, and whom customers ask.
alter table merchants
  add column logo_dark bytea constraint merchants_small_dark_logo check (octet_length(logo_dark) <= 32768),
  add column logo_ink text constraint merchants_known_logo_ink check (logo_ink in ('light', 'dark', 'opaque')),
  add column support_phone text,
  add column support_email text,
  add column support_address text;
