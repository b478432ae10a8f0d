-- Files that people have uploaded in a console and not decided about yet: a preview must outlive its request. They are deleted
-- after an hour. `owner`: whose they are, the operator or a merchant. A file without a hash is still being uploaded.
create table uploads (
  id text collate "C" not null,
  owner text collate "C" not null,
  purpose text not null,
  name text not null,
  size int not null default 0,
  sha256 text,
  created_at timestamptz not null,
  constraint uploads_pkey primary key (id)
);
create index uploads_by_owner on uploads (owner, purpose, id);
create index uploads_by_age on uploads (created_at);

create table upload_parts (
  upload_id text collate "C" not null,
  number int not null,
  data bytea not null,
  constraint upload_parts_pkey primary key (upload_id, number),
  constraint upload_parts_upload foreign key (upload_id) references uploads (id) on delete cascade
);
