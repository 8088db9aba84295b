-- The commit that the checks of a job are of. Null where a version before this one has written them.
alter table jobs add column checked_commit text;
