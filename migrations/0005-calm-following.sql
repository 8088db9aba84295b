-- When a pull request on a host was looked at last, and how many looks were close together by then: the more there are,
-- the longer the next one waits when the host calls.
alter table host_requests add column looked_at timestamptz;

alter table host_requests add column looks integer not null default 0;
