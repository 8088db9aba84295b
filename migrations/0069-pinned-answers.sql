-- Answers that the docs team wrote for questions, which are given in place of those that the assistant would find.
create table pinned_answers (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  questions jsonb not null,
  answer text not null,
  author jsonb,
  created_at timestamptz not null default now(),
  changed_by jsonb,
  changed_at timestamptz not null default now()
);
create index pinned_answers_of_project on pinned_answers (project_id, id);
-- The pinned answer that a question got; it may be removed since.
alter table messages add column pinned text;
create index messages_pinned on messages (project_id, pinned) where pinned is not null;
