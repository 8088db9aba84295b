-- The order and the groups in which a site's navigation shows its pages, for lists of them: one row for a project,
-- because it changes as a whole. `entries` is a list of [path of the file, name of the group or null].
create table navigations (
  project_id text primary key references projects (id) on delete cascade,
  entries jsonb not null
);
