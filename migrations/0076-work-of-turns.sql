-- A follow-up may document a change of its own, and may bring texts of strangers as its job does.
alter table turns add column about_change jsonb;
alter table turns add column evidence text;
