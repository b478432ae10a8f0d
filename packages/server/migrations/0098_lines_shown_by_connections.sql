-- Lines of uploaded files of an account whose lines come over its bank's API: whether the API has given the line since.
-- Lines from before are not asked about: the default of existing rows is kept without writing them.
alter table bank_lines add column shown_by_connection boolean not null default true;
alter table bank_lines alter column shown_by_connection set default false;
