-- of a question whose answer may be resumed: the id that the client gave the chat, empty where it gave none
alter table messages add column chat_id text;
create index messages_by_chat on messages (project_id, chat_id) where chat_id <> '';

-- Answers that one process writes and readers at another process want, or that ended while nobody read. Short-lived.
create table answer_streams (
  project_id text not null,
  thread_id text not null,
  n integer not null,
  -- who asked, as the process that answers knows it; null until it has written something
  asker jsonb,
  -- when a reader at another process last asked for more
  wanted_at timestamptz not null default now(),
  -- when the process that answers last wrote
  written_at timestamptz,
  ended boolean not null default false,
  -- a reader has had all of it
  delivered boolean not null default false,
  primary key (project_id, thread_id, n),
  foreign key (project_id, thread_id, n) references messages on delete cascade
);

create table answer_stream_parts (
  project_id text not null,
  thread_id text not null,
  n integer not null,
  part integer not null,
  text text not null,
  primary key (project_id, thread_id, n, part),
  foreign key (project_id, thread_id, n) references answer_streams on delete cascade
);
