-- What the repository asks of the assistant in `.docwright/assistant.md`, as the last sync read it from the project's
-- branch; null when no sync has looked for it yet.
alter table projects add column assistant_file jsonb;
