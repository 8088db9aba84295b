-- The vector of one fixed text by each model of vectors, as the vectors of the sections were made. Another one shows that
-- the model behind the name is another, whose vectors cannot be compared with those that are stored.
create table vector_probes (
  project_id text not null references projects on delete cascade,
  model text not null,
  scale real not null,
  numbers bytea not null,
  checked_at timestamptz not null default now(),
  primary key (project_id, model)
);

-- Why the built-in model answered in place of another one.
alter table messages add column trouble text;
