-- The branch of the repository that keeps git from making the branches of jobs, and the prefixes that those had before.
alter table projects add column blocking_branch text;
alter table projects add column former_branch_prefixes jsonb not null default '[]';
