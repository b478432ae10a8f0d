-- In live the person needs two things: the link of the admin who invites, and a code of another admin.
alter table login_invitations add column code_mark text;
