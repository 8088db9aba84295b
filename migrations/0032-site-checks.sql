-- What is wrong with a project's site, as the last check of the whole site found it.
create table site_checks (
  project_id text primary key references projects on delete cascade,
  -- what was or is checked: the commit, the folder and the version of the checks
  subject text not null,
  -- {phase, done, total} while a process works on it; that process says so again every few seconds
  progress jsonb,
  beat_at timestamptz not null default now(),
  -- why the last check did not come to its end
  error text,
  -- what the last whole check found, and what it looked at; null before the first one
  result jsonb,
  result_subject text,
  checked_at timestamptz
);

-- The processes that serve and work, each of which says every few seconds that it is there.
create table processes (
  id text primary key,
  host text not null,
  pid integer not null,
  kind text not null check (kind in ('serve', 'worker')),
  version text not null,
  memory bigint not null,
  free_bytes bigint not null,
  -- what keeps it from taking work, in words
  trouble text,
  started_at timestamptz not null,
  seen_at timestamptz not null default now()
);

-- The list of what to do first is shown until somebody hides it.
alter table organizations add column first_steps_hidden_at timestamptz;
