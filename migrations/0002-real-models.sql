-- Settings of a project that have a default: model, budgets, what the agent may change. Absent fields mean the default.
alter table projects add column settings jsonb not null default '{}';

-- What a key may do, and from where. An empty list means all, as with origins.
alter table keys add column scopes jsonb not null default '[]';

alter table keys add column addresses jsonb not null default '[]';

-- Limits of one job, under those of its project and server.
alter table jobs add column budget jsonb not null default '{}';

-- Money is counted in millionths of a US dollar; null where no price is known.
alter table turns add column cached_input_tokens bigint not null default 0;

alter table turns add column cost bigint;

-- The parents of the commit that this turn publishes, where they are not start_commit alone: the base was merged in.
alter table turns add column parents jsonb;

-- Milliseconds that runners have worked on it: downtime does not count against its budget.
alter table turns add column worked bigint not null default 0;

-- How often a runner took it up since it last got further.
alter table turns add column starts integer not null default 0;

-- What of the turn before was taken over because it ended without being published.
alter table turns add column carried_from text;

-- What the model is told beside the prompt: conflicts, work taken over, other pull requests, comments.
alter table turns add column material jsonb;

alter table steps add column model text;

alter table steps add column input_tokens bigint not null default 0;

alter table steps add column cached_input_tokens bigint not null default 0;

alter table steps add column output_tokens bigint not null default 0;

alter table steps add column cost bigint;

-- Tokens and money of jobs and answers, by project and day (UTC).
create table usage_days (
  project_id text not null references projects on delete cascade,
  -- YYYY-MM-DD
  day text not null,
  -- agent or assistant
  surface text not null,
  model text not null,
  calls bigint not null default 0,
  input_tokens bigint not null default 0,
  cached_input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost bigint,
  primary key (project_id, day, surface, model)
);

-- Answers to requests with an Idempotency-Key, kept for a day.
create table idempotent_requests (
  project_id text not null references projects on delete cascade,
  operation text not null,
  key text not null,
  -- SHA-256 of what was asked
  request_hash text not null,
  -- the body as it was sent: its fields have an order
  response text not null,
  created_at timestamptz not null default now(),
  primary key (project_id, operation, key)
);

create index idempotent_requests_by_age on idempotent_requests (created_at);

create table webhooks (
  id text primary key,
  project_id text not null references projects on delete cascade,
  url text not null,
  -- needed to sign, so it is kept; encrypted with the server's key
  secret text not null,
  -- types of events; empty: all
  events jsonb not null,
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);

create index webhooks_by_project on webhooks (project_id, created_at);

-- One message for one webhook. Its id is the receiver's means to see that a message came twice.
create table webhook_messages (
  id text primary key,
  webhook_id text not null references webhooks on delete cascade,
  job_id text,
  type text not null,
  payload text not null,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  -- the attempt under way is another process's until then
  claimed_until timestamptz,
  created_at timestamptz not null default now(),
  delivered_at timestamptz
);

create index due_webhook_messages on webhook_messages (next_attempt_at) where state = 'pending';

create index webhook_messages_by_webhook on webhook_messages (webhook_id, id);

create index webhook_messages_by_age on webhook_messages (created_at);

-- The delivery log.
create table webhook_attempts (
  message_id text not null references webhook_messages on delete cascade,
  n integer not null,
  at timestamptz not null default now(),
  status integer,
  error text,
  milliseconds integer not null,
  primary key (message_id, n)
);

-- What people say on pull requests of the local forge.
create table pull_request_comments (
  project_id text not null,
  number integer not null,
  n integer not null,
  author text not null,
  body text not null,
  created_at timestamptz not null default now(),
  primary key (project_id, number, n),
  foreign key (project_id, number) references pull_requests on delete cascade
);
