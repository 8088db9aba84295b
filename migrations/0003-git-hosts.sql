-- Where a project's repository lives, and what opens it. Projects of folders on this server have no row.
create table project_hosts (
  project_id text primary key references projects on delete cascade,
  -- git: only branches are pushed, because there is no interface for more
  kind text not null check (kind in ('github', 'gitlab', 'gitea', 'bitbucket', 'git')),
  -- origin of the host, and the repository's path on it
  site text not null,
  path text not null,
  -- where branches are pushed when not to the repository itself
  fork_path text,
  -- encrypted with the server's key; null: the server's own credential for the site, if it has one
  credential text,
  -- who acts, as the host names them
  login text,
  -- encrypted; what the host signs its calls with
  webhook_secret text not null default '',
  -- none: nothing was set up, so the server asks by itself
  webhook_state text not null default 'none' check (webhook_state in ('none', 'active')),
  -- counts changes of what opens the repository
  revision integer not null default 1,
  created_at timestamptz not null default now()
);

insert into project_hosts (project_id, kind, site, path)
select
  id,
  case
    when location like 'https://github.com/%' then 'github'
    when location like 'https://gitlab.com/%' then 'gitlab'
    when location like 'https://codeberg.org/%' then 'gitea'
    when location like 'https://bitbucket.org/%' then 'bitbucket'
    else 'git'
  end,
  substring(location from '^(https?://[^/]+)'),
  regexp_replace(substring(location from '^https?://[^/]+/(.*)$'), '(\.git)?/*$', '')
from projects
where kind = 'https';

-- Open pull requests on hosts: when to look at each next. A call of the host makes one due at once.
create table host_requests (
  job_id text primary key references jobs on delete cascade,
  project_id text not null references projects on delete cascade,
  number integer not null,
  -- null: it is closed or merged, and nothing is expected of it
  due_at timestamptz,
  -- the newest comment that was seen, by the host's clock
  comments_since timestamptz,
  -- null: the commit's state stands on the host
  status_due_at timestamptz
);

create index due_host_requests on host_requests (due_at) where due_at is not null;

create index due_host_statuses on host_requests (status_due_at) where status_due_at is not null;

create index host_requests_by_number on host_requests (project_id, number);

-- Comments that asked for something. Each is taken once; its answer is owed until it is given.
create table host_comments (
  project_id text not null references projects on delete cascade,
  comment_id text not null,
  job_id text not null references jobs on delete cascade,
  number integer not null,
  -- the turn that it became; null: it was refused for the reason below
  turn integer,
  refusal text,
  acknowledged boolean not null default false,
  attempts integer not null default 0,
  -- null: answered, or given up
  due_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (project_id, comment_id)
);

create index due_host_comments on host_comments (due_at) where due_at is not null;

-- Calls of hosts, so that one which comes twice is taken once; kept for a day.
create table host_deliveries (
  project_id text not null references projects on delete cascade,
  id text not null,
  created_at timestamptz not null default now(),
  primary key (project_id, id)
);

create index host_deliveries_by_age on host_deliveries (created_at);
