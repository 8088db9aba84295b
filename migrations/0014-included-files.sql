-- The files whose texts a page includes, with their ids: the page is stale when one of them changes.
alter table pages add column included jsonb not null default '{}';
