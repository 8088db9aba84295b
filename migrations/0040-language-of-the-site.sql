-- The language that the configuration of a site names. It is no label of its pages: a search does not filter by it.
alter table projects add column language text;
