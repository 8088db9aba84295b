-- What a reader had selected for a question, as [{type, value, path}]: without it, "How often?" means nothing to others.
alter table messages add column context jsonb not null default '[]';
