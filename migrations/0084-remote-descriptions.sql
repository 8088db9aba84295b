-- Descriptions of APIs on the web that pages of a project name. Their texts are fetched where the operator allows it.
create table remote_descriptions (
  project_id text not null references projects (id) on delete cascade,
  address text not null,
  -- The text that was fetched last, and its hash; null before the first.
  content text,
  oid text,
  -- Why the last attempt failed; null after one that did not.
  failure text,
  -- Null until the first attempt.
  tried_at timestamptz,
  primary key (project_id, address)
);
