-- Accounts of people. better-auth reads and writes people, person_logins, passkeys, verifications and sessions through
-- names that src/features/projects/people/library/ maps; everything else is written here alone.

create table people (
  id text primary key,
  name text not null,
  -- in lower case
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  -- whether commits of jobs that this person has asked for name the person
  co_author boolean not null default false,
  -- whether this person may make organizations
  adds_organizations boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- How a person signs in: a password (provider "credential"), or an account elsewhere. Tokens of providers are not kept.
create table person_logins (
  id text primary key,
  person_id text not null references people on delete cascade,
  provider text not null,
  account_id text not null,
  -- a salted scrypt hash
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, account_id)
);

create index person_logins_by_person on person_logins (person_id);

create table passkeys (
  id text primary key,
  name text,
  person_id text not null references people on delete cascade,
  credential_id text not null unique,
  public_key text not null,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz default now()
);

create index passkeys_by_person on passkeys (person_id);

-- What has to come back within minutes: challenges of passkeys, and the state of a sign-in at a provider.
create table verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index verifications_by_identifier on verifications (identifier);

create table memberships (
  organization_id text not null references organizations on delete cascade,
  person_id text not null references people on delete cascade,
  role text not null check (role in ('owner', 'editor', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (organization_id, person_id)
);

create index memberships_by_person on memberships (person_id);

create table invitations (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  -- SHA-256 of the secret in the link
  hash text not null unique,
  role text not null check (role in ('owner', 'editor', 'viewer')),
  -- whom the link is for, as whoever made it has noted
  note text not null default '',
  invited_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  used_by text references people on delete set null
);

create index invitations_by_organization on invitations (organization_id, created_at);

-- Links with which a person sets a new password.
create table password_links (
  hash text primary key,
  person_id text not null references people on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

-- A session without a person is the operator's.
alter table sessions add column id text;
update sessions set id = 'ses_' || substr(hash, 1, 32);
alter table sessions alter column id set not null;
create unique index sessions_by_id on sessions (id);
alter table sessions add column person_id text references people on delete cascade;
create index sessions_by_person on sessions (person_id);
alter table sessions add column address text;
alter table sessions add column device text;
alter table sessions add column last_used_at timestamptz not null default now();
-- the organization whose projects are shown
alter table sessions add column organization_id text references organizations on delete set null;

-- The first start's link also makes the first owner.
alter table sign_in_links add column makes_owner boolean not null default false;

-- Who asked for the turn.
alter table turns add column person_id text references people on delete set null;

-- What people, keys and the operator did. Names stay as they were, so nothing here refers to other rows.
create table acts (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  verb text not null,
  actor_kind text not null check (actor_kind in ('person', 'key', 'operator')),
  actor_id text not null,
  actor_name text not null,
  organization_id text,
  project_id text,
  project text,
  target text,
  address text
);

create index acts_by_organization on acts (organization_id, id);
create index acts_by_time on acts (created_at);
