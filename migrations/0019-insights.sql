-- What a reader thought of an answer: one row for each of them and each answer.
create table feedback (
  project_id text not null,
  thread_id text not null,
  -- the answer
  n integer not null,
  -- who rated it; who asked, where the client did not say
  fp text not null,
  rating text not null check (rating in ('up', 'down')),
  reason text check (reason in ('incorrect', 'incomplete', 'outdated', 'irrelevant', 'unclear', 'other')),
  note text,
  caller text not null check (caller in ('web', 'api', 'mcp', 'widget')),
  -- when it was given last
  created_at timestamptz not null default now(),
  primary key (project_id, thread_id, n, fp),
  foreign key (project_id, thread_id, n) references messages on delete cascade
);
create index feedback_by_time on feedback (project_id, created_at);
create index feedback_by_fp on feedback (project_id, fp);

-- Searches of people and programs, without those that the assistant makes for an answer.
create table searches (
  id bigint generated always as identity primary key,
  project_id text not null references projects on delete cascade,
  -- empty where the project keeps no texts
  query text not null,
  results integer not null,
  -- from 0 to 1: how well the documentation speaks of it
  confidence real not null,
  caller text not null check (caller in ('web', 'api', 'mcp', 'widget')),
  fp text,
  milliseconds integer not null,
  created_at timestamptz not null default now()
);
create index searches_by_time on searches (project_id, created_at);
create index searches_by_fp on searches (project_id, fp) where fp is not null;

-- Questions and answers of a range of time are counted and exported.
create index messages_by_time on messages (project_id, created_at, thread_id, n);
