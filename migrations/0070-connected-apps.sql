-- Apps, such as connectors of chat programs, that a person has let use a server of the Model Context Protocol here.
create table app_grants (
  id text primary key,
  person_id text not null references people (id) on delete cascade,
  client_hash text not null,
  name text not null,
  resource text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz not null
);
create index app_grants_of_person on app_grants (person_id, id);
create index app_grants_ending on app_grants (expires_at);
-- Codes, access tokens and refresh tokens, as hashes. The challenge and the address are those of a code.
create table app_tokens (
  hash text primary key,
  grant_id text not null references app_grants (id) on delete cascade,
  kind text not null check (kind in ('code', 'access', 'refresh')),
  challenge text,
  redirect_uri text,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index app_tokens_of_grant on app_tokens (grant_id);
