-- Forward only. Statements end with a semicolon at the end of a line; the same file runs on PGlite and PostgreSQL.

create table organizations (
  id text primary key,
  name text not null,
  is_default boolean not null default false,
  created_at timestamptz not null default now()
);

create unique index one_default_organization on organizations (is_default) where is_default;

create table projects (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  domain text not null unique,
  -- path: a folder on this server; https: another git host
  kind text not null check (kind in ('path', 'https')),
  is_demo boolean not null default false,
  -- real path, or URL without credentials
  location text not null,
  ref text not null,
  root text not null,
  site text,
  framework text,
  sync_state text not null default 'pending' check (sync_state in ('pending', 'syncing', 'ready', 'failed')),
  sync_progress jsonb,
  sync_error text,
  synced_commit text,
  synced_at timestamptz,
  -- of the configuration that the pages were parsed by
  fingerprint text,
  -- counts every change of the pages, so that each process knows when its index in memory is old
  generation bigint not null default 0,
  page_count integer not null default 0,
  created_at timestamptz not null default now()
);

create index projects_by_organization on projects (organization_id, created_at);

create table keys (
  id text primary key,
  kind text not null check (kind in ('admin', 'assistant')),
  organization_id text not null references organizations on delete cascade,
  project_id text references projects on delete cascade,
  name text not null,
  -- SHA-256 of the whole key; the key itself is shown once and never stored
  hash text not null unique,
  hint text not null,
  origins jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  check ((kind = 'assistant') = (project_id is not null))
);

create index keys_by_organization on keys (organization_id, created_at);

-- A rolling window as a ring: use number n of a scope stands in slot n modulo the limit, so the oldest use that
-- still counts is found by its key, however high the limit is.
create table limits (
  scope text primary key,
  uses bigint not null,
  used_at timestamptz not null
);

create table limit_uses (
  scope text not null references limits on delete cascade,
  slot integer not null,
  used_at timestamptz not null,
  primary key (scope, slot)
);

create table jobs (
  id text primary key,
  project_id text not null references projects on delete cascade,
  status text not null check (status in ('active', 'completed', 'archived', 'failed')),
  title text,
  model text not null,
  -- the branch that the work starts from, and the branch that the agent works on
  base text not null,
  branch text not null,
  draft boolean not null,
  -- what was last pushed to the branch
  head_commit text,
  -- the base's commit that the branch stands on
  base_commit text,
  pull_request jsonb,
  failure jsonb,
  checks jsonb not null,
  changes jsonb not null,
  -- changes with every write that a reader can see; the entity tag
  revision integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz
);

create index jobs_by_project on jobs (project_id, id);

create table turns (
  id text primary key,
  job_id text not null references jobs on delete cascade,
  n integer not null,
  prompt text not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  -- pinned when the turn starts: the commit that it reads, the base's commit then, the branch that it works on,
  -- and where that branch stood (null: it did not exist), which the push expects
  start_commit text,
  base_commit text,
  branch text,
  branch_commit text,
  -- pinned when publishing starts: what is pushed, and what pull request text goes with it
  publication jsonb,
  summary text,
  failure jsonb,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  unique (job_id, n)
);

create index open_turns on turns (job_id, n) where status in ('queued', 'running');

create table steps (
  turn_id text not null references turns on delete cascade,
  n integer not null,
  -- the model's answer, written before its tools run
  response jsonb not null,
  -- the tools' results, written with the files that they changed
  results jsonb,
  created_at timestamptz not null default now(),
  primary key (turn_id, n)
);

create table overlay_files (
  turn_id text not null references turns on delete cascade,
  path text not null,
  -- null: deleted
  content bytea,
  primary key (turn_id, path)
);

create table events (
  job_id text not null references jobs on delete cascade,
  n integer not null,
  turn integer not null,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  primary key (job_id, n)
);

-- The local forge: pull requests of repositories that live on this server.
create table pull_requests (
  project_id text not null references projects on delete cascade,
  number integer not null,
  -- makes the link unguessable for readers without a session
  token text not null unique,
  title text not null,
  body text not null,
  head text not null,
  base text not null,
  state text not null check (state in ('open', 'merged', 'closed')),
  draft boolean not null,
  -- while open these follow the branches; afterwards they keep the diff readable
  head_commit text not null,
  base_commit text not null,
  merge_commit text,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  primary key (project_id, number)
);

create unique index one_open_pull_request on pull_requests (project_id, head) where state = 'open';

create table pages (
  project_id text not null references projects on delete cascade,
  path text not null,
  oid text not null,
  url text not null,
  title text not null,
  description text,
  language text,
  version text,
  groups jsonb not null,
  sections jsonb not null,
  content text not null,
  hidden boolean not null,
  -- the project's generation in which this row was written
  generation bigint not null,
  primary key (project_id, path)
);

create index pages_by_generation on pages (project_id, generation);

create index pages_by_url on pages (project_id, url);

create table threads (
  project_id text not null references projects on delete cascade,
  id text not null,
  -- made by this server; only then may its record be replayed
  minted boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (project_id, id)
);

create index threads_by_age on threads (updated_at);

create table messages (
  project_id text not null,
  thread_id text not null,
  -- a question has an even number, its answer the next odd one, so that parallel questions keep their answers
  n integer not null,
  id text not null,
  -- who asked; one thread may be shared by several
  fp text not null,
  -- the question that this one took the place of, asked again or edited
  replaces integer,
  role text not null check (role in ('user', 'assistant')),
  text text not null,
  sources jsonb not null,
  -- of an assistant's message: what became of it, and why it is unanswered
  outcome text check (outcome in ('answered', 'unanswered', 'stopped', 'failed')),
  cause text,
  created_at timestamptz not null default now(),
  primary key (project_id, thread_id, n),
  foreign key (project_id, thread_id) references threads on delete cascade
);

create index messages_by_fp on messages (project_id, fp);

create table sign_in_links (
  hash text primary key,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);

create table sessions (
  hash text primary key,
  csrf_token text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
