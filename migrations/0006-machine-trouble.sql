-- What a turn waits for: trouble of another kind is new trouble, with waits of its own.
alter table turns add column parked_for text;
