-- How the pull request of the code ended, and the end that the documentation's has followed. Null while it is open.
alter table automation_previews add column code_state text;
alter table automation_previews add column followed text;
