-- Whether a person of the staff has ever had a login. A disabled admin counts for a week unless there never was one.
-- Nothing is known of people who were disabled before: they count.
alter table operators add column had_login boolean not null default true;

update operators o set had_login = exists (select from logins l where l.operator = o.name) where disabled_at is null;
