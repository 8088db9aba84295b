-- The answers that the agent offers with a question.
alter table turns add column choices jsonb;
