-- The span of the request that asked for the turn, where requests are traced: the turn's own trace links to it.
alter table turns add column traceparent text;
