-- Files that no parser could read in the time or memory that it has: left out of the index until they change.
alter table projects add column unreadable_files jsonb not null default '[]';
