-- Who asked for a prompt: a person, a key, the operator or the author of a comment. Null in turns of older versions.
alter table turns add column asked_by jsonb;

-- Set where nothing was changed because the request itself was not understood.
alter table turns add column not_understood boolean not null default false;

-- The jobs of a project that changed last, which its live pages ask for again and again.
create index jobs_by_change on jobs (project_id, updated_at);
