-- The jobs at work and those with an open pull request, which pages count for all projects.
create index jobs_under_way on jobs (project_id) where status = 'active' or pull_request->>'state' = 'open';

-- The job of a pull request, which each page of one looks for.
create index jobs_by_pull_request on jobs (project_id, ((pull_request->>'number')::int)) where pull_request is not null;
