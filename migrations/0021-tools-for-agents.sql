-- The order and the groups in which a site's navigation shows its pages, for lists of them: one row for a project,
-- because it changes as a whole. `entries` is a list of [path of the file, name of the group or null].
create table navigations (
  project_id text primary key references projects (id) on delete cascade,
  entries jsonb not null
);

-- What agents thought of a page, or of what a search found. They have no threads.
create table agent_feedback (
  id bigint generated always as identity primary key,
  project_id text not null references projects on delete cascade,
  -- file of the page; null for a search
  path text,
  -- what was searched; null for a page, and empty where the project keeps no texts
  query text,
  rating text not null check (rating in ('up', 'down')),
  note text,
  created_at timestamptz not null default now()
);
create index agent_feedback_by_time on agent_feedback (project_id, created_at);
