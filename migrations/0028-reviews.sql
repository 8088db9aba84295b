-- What people say about lines of a job's changes. Unsent comments are a draft review; one follow-up takes them all.
create table review_comments (
  id text primary key,
  job_id text not null references jobs on delete cascade,
  -- the person, the key or the operator who wrote it, and the name at that time
  author_id text not null,
  author text not null,
  path text not null,
  -- the side of the change that the lines are of: as it was, or as it is now
  side text not null check (side in ('old', 'new')),
  line integer not null,
  end_line integer not null,
  -- the commit or tree that the lines are of, and the file in it
  revision text not null,
  file text not null,
  -- the lines as they were then
  quote text not null,
  body text not null,
  -- the follow-up that it was sent with
  turn integer,
  resolved_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz
);
create index review_comments_by_job on review_comments (job_id, id);

-- Files of a job's changes that somebody has looked at, and which version of them.
create table viewed_files (
  job_id text not null references jobs on delete cascade,
  viewer_id text not null,
  path text not null,
  file text not null,
  primary key (job_id, viewer_id, path)
);
