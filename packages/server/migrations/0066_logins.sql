-- Who may log in to the consoles and the command line, what proves it, and their sessions.
create table logins (
  id text collate "C" not null,
  audience text not null,
  -- The operator's name, or the e-mail address of a merchant's user.
  name text not null,
  operator text,
  merchant_id text collate "C",
  role text,
  -- argon2id as a PHC string: its parameters can be raised later.
  password text not null,
  -- Signs the cookies of devices that have logged in.
  device_key text not null,
  created_at timestamptz not null,
  disabled_at timestamptz,
  constraint logins_pkey primary key (id),
  constraint logins_operator foreign key (operator) references operators (name),
  constraint logins_merchant foreign key (merchant_id) references merchants (id),
  constraint logins_known_audience check (audience in ('operator', 'merchant')),
  constraint logins_of_one check (case audience
    when 'operator' then operator is not null and operator = name and merchant_id is null and role is null
    else operator is null and merchant_id is not null and role is not null
  end),
  constraint logins_known_role check (role in ('owner', 'finance', 'developer', 'support'))
);
create unique index logins_once on logins (audience, name) where disabled_at is null;
create index logins_of_merchant on logins (merchant_id) where merchant_id is not null;

create table login_invitations (
  id text collate "C" not null,
  token_hash text not null,
  audience text not null,
  name text not null,
  merchant_id text collate "C",
  role text,
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  constraint login_invitations_pkey primary key (id),
  constraint login_invitations_merchant foreign key (merchant_id) references merchants (id),
  constraint login_invitations_token unique (token_hash),
  constraint login_invitations_known_audience check (audience in ('operator', 'merchant'))
);
create index login_invitations_open on login_invitations (audience, name) where accepted_at is null;

create table totp_secrets (
  login_id text collate "C" not null,
  id text collate "C" not null,
  sealed text not null,
  created_at timestamptz not null,
  -- Null until the person has entered a first code.
  confirmed_at timestamptz,
  -- Thirty-second step of the last accepted code: none is accepted twice.
  last_step integer not null default 0,
  constraint totp_secrets_pkey primary key (login_id, id),
  constraint totp_secrets_login foreign key (login_id) references logins (id)
);
create unique index totp_secrets_one_confirmed on totp_secrets (login_id) where confirmed_at is not null;

create table recovery_codes (
  login_id text collate "C" not null,
  code_hash text not null,
  used_at timestamptz,
  constraint recovery_codes_pkey primary key (login_id, code_hash),
  constraint recovery_codes_login foreign key (login_id) references logins (id)
);

create table sessions (
  id text collate "C" not null,
  token_hash text not null,
  login_id text collate "C" not null,
  kind text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  idle_seconds integer not null,
  ends_at timestamptz not null,
  second_factor_at timestamptz,
  stepped_up_at timestamptz,
  address text,
  user_agent text,
  revoked_at timestamptz,
  constraint sessions_pkey primary key (id),
  constraint sessions_token unique (token_hash),
  constraint sessions_login foreign key (login_id) references logins (id),
  constraint sessions_known_kind check (kind in ('browser', 'command_line')),
  constraint sessions_bounded_texts check (length(address) <= 64 and length(user_agent) <= 200)
);
create index sessions_of_login on sessions (login_id);
create index sessions_by_end on sessions (ends_at);

-- Failed attempts by what they are counted for; the key is a hash, because it has names and addresses.
create table login_failures (
  key text collate "C" not null,
  failures integer not null,
  open_at timestamptz not null,
  last_at timestamptz not null,
  constraint login_failures_pkey primary key (key)
);
create index login_failures_by_time on login_failures (last_at);

create table passkeys (
  -- The credential id that the authenticator chose.
  id text collate "C" not null,
  login_id text collate "C" not null,
  public_key text not null,
  -- An unsigned 32-bit number; 0 for passkeys that are kept on several devices.
  counter numeric(10) not null,
  transports text[] not null,
  label text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint passkeys_pkey primary key (id),
  constraint passkeys_login foreign key (login_id) references logins (id),
  constraint passkeys_bounded_label check (length(label) between 1 and 60)
);
create index passkeys_of_login on passkeys (login_id);

create table passkey_challenges (
  challenge_hash text not null,
  purpose text not null,
  -- Null for a login without a password: the passkey tells whose it is.
  login_id text collate "C",
  expires_at timestamptz not null,
  constraint passkey_challenges_pkey primary key (challenge_hash),
  constraint passkey_challenges_login foreign key (login_id) references logins (id),
  constraint passkey_challenges_known_purpose check (purpose in ('register', 'log_in', 'prove'))
);
create index passkey_challenges_by_end on passkey_challenges (expires_at);
