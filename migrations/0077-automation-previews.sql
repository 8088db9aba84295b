-- What is said of the documentation on pull requests of code: one comment on each, which is edited.
create table automation_previews (
  project_id text not null references projects (id) on delete cascade,
  -- Of a context repository; empty for the project's own.
  repository text not null,
  number integer not null,
  -- Marks the comment. Nobody can know it before it is there.
  token text not null,
  -- The newest run that had something to say.
  run_id text not null,
  head text not null,
  summary text not null,
  body text not null,
  -- Only a comment that is there already is edited.
  is_quiet boolean not null default false,
  -- What the host was told last.
  told text,
  due_at timestamptz,
  attempts integer not null default 0,
  changed_at timestamptz not null default now(),
  primary key (project_id, repository, number)
);
create index automation_previews_due on automation_previews (due_at) where due_at is not null;
-- The commit at which it was last decided whether the rule merges its pull request by itself.
alter table automation_runs add column merge_tried text;
