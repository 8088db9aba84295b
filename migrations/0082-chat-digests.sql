-- Workspaces of Discord, whose socket goes on where it stopped, and of Teams, which says where it answers.
alter table chats drop constraint chats_platform_check;
alter table chats add constraint chats_platform_check check (platform in ('slack', 'discord', 'teams'));
alter table chats add column session text;
alter table chats add column address text;

-- A channel may get what happened once a day. What waits for the day's message is held until then.
alter table chat_channels drop constraint chat_channels_posts_check;
alter table chat_channels add constraint chat_channels_posts_check
  check (posts in ('nothing', 'attention', 'digest', 'everything'));
-- The language whose pages are searched for a channel's questions; all when it is empty.
alter table chat_channels add column language text not null default '';

alter table chat_posts drop constraint chat_posts_state_check;
alter table chat_posts add constraint chat_posts_state_check check (state in ('waiting', 'held', 'done', 'failed'));
alter table chat_posts drop constraint chat_posts_kind_check;
alter table chat_posts add constraint chat_posts_kind_check
  check (kind in ('opened', 'waiting', 'asked', 'merged', 'failed', 'gaps', 'digest'));
create index chat_posts_held on chat_posts (chat_id, channel) where state = 'held';
