import type { ChatPlatformColumn } from '../../store/tables/chat-tables.ts'
import { discord } from './discord/discord.ts'
import { googleChat } from './google/google.ts'
import type { ChatPlatform } from './platform.ts'
import { slack } from './slack/slack.ts'
import { teams } from './teams/teams.ts'

export const platforms: Readonly<Record<ChatPlatformColumn, ChatPlatform>> = {
  slack,
  discord,
  teams,
  'google-chat': googleChat,
}
