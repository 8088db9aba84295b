-- The newest conversations of a project are listed.
create index threads_by_project on threads (project_id, updated_at desc, id);
