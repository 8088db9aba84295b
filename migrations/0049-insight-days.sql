-- What a day (UTC) that is over came to in a project, so that insights of months need not read its messages. A row is
-- made when somebody first asks for its day, and goes with whatever changes the day.
create table insight_days (
  project_id text not null references projects on delete cascade,
  day date not null,
  -- lists of counts, as insight-days.ts writes them
  messages jsonb not null,
  threads jsonb not null,
  latencies jsonb not null,
  asked_on jsonb not null,
  cited jsonb not null,
  feedback jsonb not null,
  searches jsonb not null,
  queries jsonb not null,
  primary key (project_id, day)
);

-- Rows of today change nothing. Others wait for whoever counts their day now, and the other way round. (A statement
-- must not end where a line ends within the function.)
create function forget_insight_days() returns trigger language plpgsql as $$ begin
  if exists (select from changed where created_at < now() - interval '30 minutes') then
    perform pg_advisory_xact_lock_shared(4, hashtext(project_id))
      from (select distinct project_id from changed order by project_id) one; delete from insight_days d using (
      select distinct project_id, (created_at at time zone 'UTC')::date as day from changed
    ) c where d.project_id = c.project_id and d.day = c.day; end if; return null; end $$;

create trigger insight_days_added after insert on messages referencing new table as changed
  for each statement execute function forget_insight_days();
create trigger insight_days_deleted after delete on messages referencing old table as changed
  for each statement execute function forget_insight_days();
create trigger insight_days_changed after update on messages referencing old table as changed
  for each statement execute function forget_insight_days();
create trigger insight_days_moved after update on messages referencing new table as changed
  for each statement execute function forget_insight_days();
create trigger insight_days_added after insert on feedback referencing new table as changed
  for each statement execute function forget_insight_days();
create trigger insight_days_deleted after delete on feedback referencing old table as changed
  for each statement execute function forget_insight_days();
create trigger insight_days_changed after update on feedback referencing old table as changed
  for each statement execute function forget_insight_days();
create trigger insight_days_moved after update on feedback referencing new table as changed
  for each statement execute function forget_insight_days();
create trigger insight_days_added after insert on searches referencing new table as changed
  for each statement execute function forget_insight_days();
create trigger insight_days_deleted after delete on searches referencing old table as changed
  for each statement execute function forget_insight_days();
create trigger insight_days_changed after update on searches referencing old table as changed
  for each statement execute function forget_insight_days();
create trigger insight_days_moved after update on searches referencing new table as changed
  for each statement execute function forget_insight_days();
