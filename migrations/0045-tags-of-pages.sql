-- Tags were kept among the groups of a page, which say who sees it. The next sync reads both again; until then, no page
-- is kept from readers because of a tag.
alter table pages add column tags jsonb not null default '[]';
update pages set tags = groups, groups = '[]' where groups <> '[]';
