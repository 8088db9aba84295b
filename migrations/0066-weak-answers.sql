-- A quote that may be about something else is no answer, and not the lack of one: an outcome of its own.
alter table messages drop constraint messages_outcome_check;
alter table messages add constraint messages_outcome_check check (outcome in
  ('answered', 'partial', 'weak', 'unanswered', 'uncited', 'clarified', 'greeting', 'refused', 'failed', 'stopped'));
-- answers that may belong to a gap
drop index messages_without_answer;
create index messages_without_answer on messages (project_id, created_at)
  where outcome in ('unanswered', 'weak', 'partial', 'uncited');
