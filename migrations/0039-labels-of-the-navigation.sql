-- What the front matter of a page says of its place in the navigation, so that a sync need not read all pages for it.
alter table pages add column names jsonb not null default '{}';

-- The order and groups of the pages, now with their labels; the next sync writes them again.
delete from navigations;
