-- The change of code that a job documents; null for all others.
alter table jobs add column about_change jsonb;
