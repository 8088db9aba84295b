-- Lists read what they show, and not what they leave out.
create index jobs_by_status on jobs (project_id, status, id);

-- The job of a pull request whose number it does not know by now.
create index jobs_by_branch on jobs (project_id, branch);

-- The jobs at work and those with an open pull request are listed too, the newest first.
drop index jobs_under_way;
create index jobs_under_way on jobs (project_id, id) where status = 'active' or pull_request->>'state' = 'open';

create index pull_requests_by_state on pull_requests (project_id, state, number);

create index webhook_messages_by_state on webhook_messages (webhook_id, state, id);

-- Gaps are listed by what was asked in the last days.
drop index gap_questions_by_project;
create index gap_questions_by_time on gap_questions (project_id, asked_at);

-- What people do with their own account, such as signing in, belongs to no organization.
create index acts_of_people on acts (actor_id, id) where organization_id is null;

-- When each member was here last.
drop index sessions_by_person;
create index sessions_by_person on sessions (person_id, last_used_at);

-- How many problems the last check found, so that lists of projects need not read what they are.
alter table site_checks add column problems integer;

update site_checks set problems = (select coalesce(sum(value::int), 0) from jsonb_each_text(result->'counts'))
where result is not null;

-- Whose account alone may take an invitation, in lower case; anybody's where it is null.
alter table invitations add column email text;

-- Whoever opens a link that was taken back is told so.
alter table invitations add column revoked_at timestamptz;
