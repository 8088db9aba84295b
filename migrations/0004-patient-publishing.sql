-- A turn waits for its git host, which is away or takes no more requests: until when, since when, and how often by now.
alter table turns add column parked_until timestamptz;

alter table turns add column parked_since timestamptz;

alter table turns add column parks integer not null default 0;

-- Whether the branch was left to the repository, so that a new name of its default branch is followed. Nobody knows of
-- the projects that are there by now: theirs stays as it is.
alter table projects add column follows_default boolean not null default false;

-- Branches that were read before: jobs that started from one go on with the present one when that is gone.
alter table projects add column former_refs jsonb not null default '[]';

-- The pull request is a draft because problems were left, and nobody has touched that since.
alter table jobs add column draft_for_checks boolean not null default false;
