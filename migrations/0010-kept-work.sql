-- A turn without a model: it publishes what earlier turns have left unpublished, because a person decided so.
alter table turns add column publishes boolean not null default false;
