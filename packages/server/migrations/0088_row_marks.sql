-- Marks of rows that give a person power (decision 0043): only a process with the master key can compute them. Null: such a row counts for nothing.
alter table operators add column mark text;
alter table logins add column mark text;
alter table login_invitations add column mark text;
alter table passkeys add column mark text;
alter table sessions add column mark text;

-- Of what people said where two must agree: proposals and approvals, by the name of their row.
create table word_marks (
  name text collate "C" not null,
  mark text not null,
  constraint word_marks_pkey primary key (name)
);
create trigger word_marks_append_only before update or delete on word_marks for each row execute function refuse_change();
create trigger word_marks_never_emptied before truncate on word_marks for each statement execute function refuse_change();
