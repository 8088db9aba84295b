-- Google Chat beside the other platforms.
alter table chats drop constraint chats_platform_check;
alter table chats add constraint chats_platform_check check (platform in ('slack', 'discord', 'teams', 'google-chat'));
