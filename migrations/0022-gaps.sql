-- Topics that the documentation does not answer well: questions and searches that are about the same.
create table gaps (
  id text primary key,
  project_id text not null references projects on delete cascade,
  -- null until it is named again, after one of its questions was deleted
  name text,
  named_by text not null default 'words' check (named_by in ('words', 'model', 'person')),
  -- the questions that it had when a model was asked for a name, 0 for never
  named_size integer not null default 0,
  -- the questions that are accounted for in the name; fewer questions mean that some were deleted
  size integer not null default 0,
  -- pages that come closest, a list of {path, url, title, heading}, and the questions that it had when they were searched
  nearest jsonb not null default '[]',
  nearest_size integer not null default 0,
  dismissed_at timestamptz,
  dismissed_reason text,
  -- the questions after which it is open again
  returns_after integer,
  -- the job whose pages were checked, and what became of that
  checked_job text,
  checked_at timestamptz,
  verdict text check (verdict in ('answered', 'still_open')),
  created_at timestamptz not null default now()
);
create index gaps_by_project on gaps (project_id, id);

-- Questions and searches without a good answer. Their texts stay where they are recorded, and go with these.
create table gap_questions (
  id bigint generated always as identity primary key,
  project_id text not null,
  -- null where a question has no words that say what it is about
  gap_id text references gaps on delete cascade,
  -- a question, or else a search
  thread_id text,
  n integer,
  search_id bigint references searches on delete cascade,
  cause text not null check (cause in ('nothing_found', 'weak', 'uncited', 'partial', 'downvoted', 'search')),
  fp text,
  asked_at timestamptz not null,
  -- what came of asking it again after a page was merged
  check_outcome text,
  -- whether that answer cites a page that was changed
  check_cited boolean,
  unique (project_id, thread_id, n),
  unique (search_id),
  check ((search_id is null) = (thread_id is not null and n is not null)),
  foreign key (project_id, thread_id, n) references messages on delete cascade
);
create index gap_questions_by_gap on gap_questions (gap_id, asked_at);
create index gap_questions_by_project on gap_questions (project_id);

create index gap_questions_downvoted on gap_questions (project_id) where cause = 'downvoted';

-- Until when a process looks for gaps of a project, and up to when all questions were looked at.
create table gap_claims (
  project_id text primary key references projects on delete cascade,
  claimed_until timestamptz not null,
  read_to timestamptz not null default 'epoch'
);

-- Answers that may belong to a gap, and searches without result.
create index messages_without_answer on messages (project_id, created_at)
  where outcome in ('unanswered', 'partial', 'uncited');
create index searches_without_result on searches (project_id, lower(query)) where results = 0 and query <> '';

-- The gap that a job was made for, and what the agent is told of it. Texts of readers, so they are no part of a prompt.
alter table jobs add column gap_id text references gaps on delete set null;
alter table jobs add column evidence text;
create index jobs_by_gap on jobs (gap_id, id) where gap_id is not null;
