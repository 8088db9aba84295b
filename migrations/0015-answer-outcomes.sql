-- Outcomes are kept apart, with what a docs team wants to know of each answer.
alter table messages drop constraint messages_outcome_check;
alter table messages add constraint messages_outcome_check check (outcome in
  ('answered', 'partial', 'unanswered', 'uncited', 'clarified', 'greeting', 'refused', 'failed', 'stopped'));
-- where a question came from
alter table messages add column caller text not null default 'api' check (caller in ('web', 'api', 'mcp', 'widget'));
-- the page that the reader was on, as the client says
alter table messages add column page text;
-- of an answer: the model that gave it, and how long it took
alter table messages add column model text;
alter table messages add column milliseconds integer;
