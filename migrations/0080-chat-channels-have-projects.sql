-- One workspace serves several projects: what is asked in a channel is about the project of that channel.
alter table chat_channels add column project_id text;
update chat_channels set project_id = chats.project_id from chats where chats.id = chat_channels.chat_id;
alter table chat_channels alter column project_id set not null;
-- What was decided for a channel was decided for this project, and ends with it.
alter table chat_channels add foreign key (project_id) references projects (id) on delete cascade;
create index on chat_channels (project_id);
alter table chat_channels add column changes text not null default 'linked'
  check (changes in ('linked', 'nobody'));
-- What the app posts in the channel without being asked.
alter table chat_channels add column posts text not null default 'nothing'
  check (posts in ('nothing', 'attention', 'everything'));
alter table chat_channels drop constraint chat_channels_answers_check;
alter table chat_channels add constraint chat_channels_answers_check
  check (answers in ('quiet', 'mentions', 'everything'));

-- The project that the conversation and the job of a thread are of.
alter table chat_threads add column project_id text;
update chat_threads set project_id = chats.project_id from chats where chats.id = chat_threads.chat_id;
alter table chat_threads alter column project_id set not null;
alter table chat_threads add foreign key (project_id) references projects (id) on delete cascade;
create index on chat_threads (project_id);

-- What the app posts in channels without being asked, each once. Written in the transaction of what happened.
create table chat_posts (
  chat_id text not null,
  channel text not null,
  -- What happened: the same however often it is noticed.
  key text not null,
  kind text not null check (kind in ('opened', 'waiting', 'asked', 'merged', 'failed', 'gaps')),
  job_id text references jobs (id) on delete cascade,
  text text not null,
  -- In which they are posted.
  n bigint not null generated always as identity,
  created_at timestamptz not null default now(),
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  attempts integer not null default 0,
  claimed_until timestamptz,
  -- The message that was posted.
  message text,
  error text,
  primary key (chat_id, channel, key),
  foreign key (chat_id, channel) references chat_channels (chat_id, channel) on delete cascade
);
create index on chat_posts (job_id);
create index chat_posts_waiting on chat_posts (created_at) where state = 'waiting';

-- Whether events come over a socket that this server opens, because the platform cannot call it.
alter table chats add column socket boolean not null default false;
-- What was wrong with the token of a workspace when Slack was last asked, and when that was.
alter table chats add column problem text;
alter table chats add column checked_at timestamptz;
