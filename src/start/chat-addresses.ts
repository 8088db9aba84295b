import type { z } from 'zod'
import type { ChatApis } from '../lib/chat-apis.ts'
import { baseUrl, optional } from './config-values.ts'

/** Where the platforms of chats are, for tests and for relays. */
export const chatAddresses = {
  DOCWRIGHT_SLACK_API: optional(baseUrl),
  DOCWRIGHT_DISCORD_API: optional(baseUrl),
  DOCWRIGHT_TEAMS_API: optional(baseUrl),
  DOCWRIGHT_TEAMS_LOGIN: optional(baseUrl),
  DOCWRIGHT_TEAMS_KEYS: optional(baseUrl),
  DOCWRIGHT_GOOGLE_CHAT_API: optional(baseUrl),
  DOCWRIGHT_GOOGLE_LOGIN: optional(baseUrl),
  DOCWRIGHT_GOOGLE_KEYS: optional(baseUrl),
}

type Addresses = { [Name in keyof typeof chatAddresses]?: z.output<(typeof chatAddresses)[Name]> }

/** The platforms' own addresses where others are not named. */
export function chatApisAt(named: Addresses): ChatApis {
  return {
    slack: `${named.DOCWRIGHT_SLACK_API ?? 'https://slack.com/api'}/`,
    discord: `${named.DOCWRIGHT_DISCORD_API ?? 'https://discord.com/api/v10'}/`,
    teams: {
      api: `${named.DOCWRIGHT_TEAMS_API ?? 'https://smba.trafficmanager.net/teams'}/`,
      login: `${named.DOCWRIGHT_TEAMS_LOGIN ?? 'https://login.microsoftonline.com'}/`,
      keys: named.DOCWRIGHT_TEAMS_KEYS ?? 'https://login.botframework.com/v1/.well-known/openidconfiguration',
    },
    google: {
      api: `${named.DOCWRIGHT_GOOGLE_CHAT_API ?? 'https://chat.googleapis.com'}/`,
      login: named.DOCWRIGHT_GOOGLE_LOGIN ?? 'https://oauth2.googleapis.com/token',
      keys: `${named.DOCWRIGHT_GOOGLE_KEYS ?? 'https://www.googleapis.com'}/`,
    },
  }
}
