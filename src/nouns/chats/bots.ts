import { keepNewest } from '../../lib/keep-newest.ts'
import type { Bot, BotPorts } from './bot/ports.ts'
import { platforms } from './platforms.ts'
import { secretsOf, type Chat } from './table.ts'

/** Workspaces whose connections are kept. */
const mostKept = 100

/** Each workspace’s side of its platform, which keeps what a connection has learned, such as tokens. */
export type BotOf = (chat: Chat) => Bot

export function createBots({ secretKey, chatApis }: Pick<BotPorts, 'secretKey' | 'chatApis'>): BotOf {
  const kept = new Map<string, { chat: Chat; bot: Bot }>()
  return (chat) => {
    const known = kept.get(chat.id)
    if (known?.chat.sealed === chat.sealed && known.chat.address === chat.address) return known.bot
    const platform = platforms[chat.platform]
    const bot = { platform, connection: platform.connect(chatApis, chat, secretsOf(secretKey, chat)) }
    keepNewest(kept, mostKept, chat.id, { chat, bot })
    return bot
  }
}
