-- Workspaces of chat platforms in which people ask the assistant and start jobs, each for one project.
create table chats (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  platform text not null check (platform in ('slack')),
  -- Names at the platform: of the workspace, and of the app's own member there.
  workspace text not null,
  bot text not null,
  name text not null,
  -- The tokens, encrypted.
  secrets text not null,
  -- Whether events come over a socket that this server opens, because the platform cannot call it.
  socket boolean not null default false,
  -- What was wrong with the token when the platform was last asked, and when that was.
  problem text,
  checked_at timestamptz,
  created_at timestamptz not null default now(),
  unique (project_id, platform, workspace)
);

-- What the team decided for a channel. Channels without a row follow the visibility of the workspace's project. One workspace
-- serves several projects: what is asked in a channel is about the project of that channel.
create table chat_channels (
  chat_id text not null references chats (id) on delete cascade,
  channel text not null,
  project_id text not null references projects (id) on delete cascade,
  name text not null,
  asks text not null check (asks in ('anyone', 'linked', 'nobody')),
  answers text not null check (answers in ('quiet', 'mentions', 'everything')),
  changes text not null default 'linked' check (changes in ('linked', 'nobody')),
  -- What the app posts in the channel without being asked.
  posts text not null default 'nothing' check (posts in ('nothing', 'attention', 'everything')),
  primary key (chat_id, channel)
);
create index on chat_channels (project_id);

-- Members of a workspace who have shown that an account here is theirs.
create table chat_people (
  chat_id text not null references chats (id) on delete cascade,
  member text not null,
  person_id text not null references people (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (chat_id, member)
);
create index on chat_people (person_id);

-- Addresses by which members link their account, each used once.
create table chat_links (
  hash text primary key,
  chat_id text not null references chats (id) on delete cascade,
  member text not null,
  member_name text not null,
  expires_at timestamptz not null
);
create index on chat_links (chat_id);

-- What a platform sent and this server has to answer, once each. Events of a thread are worked on one after the other.
create table chat_events (
  chat_id text not null references chats (id) on delete cascade,
  key text not null,
  thread text not null,
  content_type text not null,
  body text not null,
  received_at timestamptz not null default clock_timestamp(),
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  attempts integer not null default 0,
  claimed_until timestamptz,
  -- The message that was posted for it.
  reply text,
  error text,
  primary key (chat_id, key)
);
create index chat_events_waiting on chat_events (received_at) where state = 'waiting';
create index on chat_events (chat_id, received_at);

-- Threads in which the bot takes part: with the conversation or the job that it is about.
create table chat_threads (
  chat_id text not null references chats (id) on delete cascade,
  thread text not null,
  -- The project that its conversation and its job are of.
  project_id text not null references projects (id) on delete cascade,
  starter text not null,
  conversation text,
  job_id text references jobs (id) on delete set null,
  -- The event that gave the job its last work.
  asked_by text,
  -- The message that shows how the job is, and the job's revision that it shows.
  progress text,
  shown integer,
  settled boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (chat_id, thread)
);
create index on chat_threads (job_id);
create index on chat_threads (project_id);
create index chat_threads_followed on chat_threads (created_at) where not settled;

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

alter table messages drop constraint messages_caller_check;
alter table messages add constraint messages_caller_check check (caller in ('web', 'api', 'mcp', 'widget', 'chat'));
alter table feedback drop constraint feedback_caller_check;
alter table feedback add constraint feedback_caller_check check (caller in ('web', 'api', 'mcp', 'widget', 'chat'));
