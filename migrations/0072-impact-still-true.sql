-- Pages that people found still true after a change of code: what it says of them is not shown again.
create table impact_still_true (
  project_id text not null references projects (id) on delete cascade,
  commit text not null,
  path text not null,
  created_at timestamptz not null default now(),
  primary key (project_id, commit, path)
);
