-- The question whose answer a job is to improve. What the job was told of it goes when the question goes.
alter table jobs add column about_thread text;
alter table jobs add column about_question integer;
create index jobs_by_thread on jobs (project_id, about_thread) where about_thread is not null;

-- The address of the published site is a setting like any other.
update projects set settings = settings || jsonb_build_object('site', site) where site is not null;
alter table projects drop column site;

-- Every sign-in link makes the first owner while nobody has an account.
alter table sign_in_links drop column makes_owner;
