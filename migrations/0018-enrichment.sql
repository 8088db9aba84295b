-- What models made of the sections of pages, so that they are found by words that they do not hold. A section is
-- known by the hash of what a model reads of it: only a changed section costs again.

-- how far the work on the project is, as features/docs/enrich/enrichment-state.ts has it
alter table projects add column enrichment jsonb not null default '{}';
-- raised with every change of the rows below
alter table projects add column enrichment_revision bigint not null default 0;

create table enriched_pages (
  project_id text not null,
  path text not null,
  -- the page's generation whose sections these are
  generation bigint not null,
  -- the project's revision in which this row, or what belongs to its sections, was changed
  revision bigint not null,
  -- pairs of hash and bytes, in reading order; the hash is empty where there is nothing to do
  sections jsonb not null,
  -- the models that have done all of its sections
  done text,
  primary key (project_id, path),
  foreign key (project_id, path) references pages on delete cascade
);
create index enriched_pages_by_revision on enriched_pages (project_id, revision);

create table section_questions (
  project_id text not null references projects on delete cascade,
  hash text not null,
  model text not null,
  questions jsonb not null,
  context text not null,
  primary key (project_id, model, hash)
);

-- Each number of a vector is one signed byte, times the scale. A section that the model refuses has none.
create table section_vectors (
  project_id text not null references projects on delete cascade,
  hash text not null,
  model text not null,
  scale real not null,
  numbers bytea not null,
  primary key (project_id, model, hash)
);
