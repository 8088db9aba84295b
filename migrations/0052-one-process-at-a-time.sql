-- What is done once, however many processes there are, and the process that does it. Another one takes over soon after
-- that has ended.
create table duties (
  name text primary key,
  holder text not null,
  held_until timestamptz not null
);

-- When a project is due to be synced again.
alter table projects add column sync_due_at timestamptz not null default now();
create index projects_by_sync on projects (sync_due_at);

-- The jobs that processes work on. A claim that is not renewed is over, and another process takes the job.
create table job_claims (
  job_id text primary key references jobs on delete cascade,
  id text not null,
  claimed_until timestamptz not null
);

-- When each project had its last turn, so that organizations and their projects take turns.
create table project_turns (
  project_id text primary key references projects on delete cascade,
  taken_at timestamptz not null
);

-- How many time slices a turn has used, at most 2, and when it last made room for other jobs.
alter table turns add column slices integer not null default 0;
alter table turns add column yielded_at timestamptz;

-- Whether there is any since the last look for gaps.
create index searches_without_result_by_time on searches (project_id, created_at) where results = 0 and query <> '';
