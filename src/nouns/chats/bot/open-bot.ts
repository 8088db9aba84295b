import { AsyncLocalStorage } from 'node:async_hooks'
import { createSlackAdapter, type SlackAdapter } from '@chat-adapter/slack'
import { Chat as ChatBot, ConsoleLogger } from 'chat'
import { AppError } from '../../../lib/errors.ts'
import { findThread } from '../threads.ts'
import { sendStars } from '../slack/keep-stars.ts'
import { secretsOf, type Chat } from '../table.ts'
import { handleAction, handleCommand, handleMessage } from './handle.ts'
import { createMemoryState } from './memory-state.ts'
import type { BotPorts, Thread, Turn } from './ports.ts'

/** A workspace’s side of the chat library. */
export interface Bot {
  /** Answers an event. @throws what went wrong, also at the platform */
  answer(turn: Turn): Promise<void>
  thread(id: string): Thread
}

/** Loaded only where a workspace is connected: the library is large. */
export function openBot(ports: BotPorts, chat: Chat): Bot {
  const current = new AsyncLocalStorage<Turn>()
  const logger = new ConsoleLogger('silent')
  const slack = createSlackAdapter({
    apiUrl: ports.slackApi,
    botToken: secretsOf(ports.secretKey, chat).botToken,
    botUserId: chat.bot,
    logger,
    // Verified before the event was stored.
    webhookVerifier: () => true,
    webClientOptions: { timeout: 20_000, requestInterceptor: sendStars },
  })
  if (!knowsMember(slack)) throw new AppError('internal', 'Slack’s adapter does not know its own member')
  const bot = new ChatBot({
    userName: chat.bot,
    adapters: { slack },
    concurrency: 'concurrent',
    logger,
    state: createMemoryState(
      async (thread) => (await findThread(ports.store.db, chat.id, thread)) !== undefined,
    ),
  })
  const turnOf = (): Turn => {
    const turn = current.getStore()
    if (!turn) throw new AppError('internal', 'A chat event was handled without its turn')
    return turn
  }
  bot.onDirectMessage((thread, message) => handleMessage(ports, turnOf(), thread, message))
  bot.onNewMention((thread, message) => handleMessage(ports, turnOf(), thread, message))
  bot.onSubscribedMessage((thread, message) => handleMessage(ports, turnOf(), thread, message))
  bot.onNewMessage(/^/, (thread, message) => handleMessage(ports, turnOf(), thread, message))
  bot.onAction((pressed) => handleAction(ports, turnOf(), pressed))
  bot.onSlashCommand((command) => handleCommand(ports, turnOf(), command, (id) => bot.thread(id)))
  return {
    async answer(turn) {
      await current.run(turn, async () => {
        const work: Promise<unknown>[] = []
        const { body, contentType } = turn.event
        const request = new Request('http://chat.invalid/', {
          method: 'POST',
          headers: { 'content-type': contentType },
          body,
        })
        await bot.webhooks.slack(request, {
          deduplicate: false,
          propagateHandlerErrors: true,
          waitUntil: (task) => void work.push(task),
        })
        // Handlers may begin more work while they run.
        for (const task of work) await task
      })
    },
    thread: (id) => bot.thread(id),
  }
}

function knowsMember(adapter: SlackAdapter): adapter is SlackAdapter & { botUserId: string } {
  return adapter.botUserId !== undefined
}
