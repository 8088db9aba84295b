-- Rules that give the agent work. A rule is its text; what was read of it stands beside it, or what is wrong with it.
create table automations (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  -- The file of the repository that it is; null for one that was made here.
  path text,
  name text not null,
  source text not null,
  rule jsonb,
  problems jsonb not null default '[]',
  is_on boolean not null default true,
  next_at timestamptz,
  author jsonb,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  -- Its runs stay, and a file that comes back finds them.
  removed_at timestamptz,
  unique (project_id, path)
);
create index automations_of_project on automations (project_id, id);
create index automations_due on automations (next_at) where next_at is not null;
-- What an event gave. One event gives a rule one run.
create table automation_runs (
  id text primary key,
  automation_id text not null references automations (id) on delete cascade,
  project_id text not null references projects (id) on delete cascade,
  event_key text not null,
  cause jsonb not null,
  -- When it is to begin; null once it has begun or ended.
  due_at timestamptz,
  attempts integer not null default 0,
  job_id text references jobs (id) on delete cascade,
  turn integer,
  -- How it ended without a job.
  result text,
  reasons jsonb not null default '[]',
  findings jsonb not null default '[]',
  created_at timestamptz not null default now(),
  started_at timestamptz,
  unique (automation_id, event_key)
);
create index automation_runs_of_project on automation_runs (project_id, id);
create index automation_runs_of_automation on automation_runs (automation_id, id);
create index automation_runs_due on automation_runs (due_at) where due_at is not null;
create index automation_runs_of_job on automation_runs (job_id) where job_id is not null;
-- The branches and tags of a repository as they were when they were last looked at. The empty name is the project's own.
create table automation_watches (
  project_id text not null references projects (id) on delete cascade,
  repository text not null,
  -- A context repository may be given another address under its name.
  location text not null,
  refs jsonb not null,
  due_at timestamptz not null default now(),
  primary key (project_id, repository)
);
