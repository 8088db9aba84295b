-- of an answer: what was asked for that the documentation does not mention, as a list of names
alter table messages add column missing jsonb not null default '[]';
