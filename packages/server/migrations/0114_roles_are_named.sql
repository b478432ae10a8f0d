-- A person has the roles that were given, and none by default.
alter table operators alter column roles drop default;
