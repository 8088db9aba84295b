-- Folders that hold pages, for a project whose own content folder holds none.
alter table projects add column page_folders jsonb not null default '[]';
