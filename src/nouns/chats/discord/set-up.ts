import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import type { TestedToken } from '../platform.ts'
import { askDiscord, DiscordRefusal } from './api.ts'

const named = z.looseObject({ id: z.string(), name: z.string() })
const me = z.looseObject({ id: z.string(), username: z.string() })
const application = z.looseObject({ id: z.string(), flags: z.int().optional() })

/** That the app may read messages that do not mention it: in full, or as a small app. */
const readsMessages = [18, 19]
/** What the bot does: see channels, send messages, embed links, read the history, and begin and write in threads. */
const permissions = [10n, 11n, 14n, 16n, 35n, 38n].reduce((all, bit) => all | (1n << bit), 0n)

/** Where somebody invites the bot to a server. */
export function inviteUrl(applicationId: string): string {
  const query = new URLSearchParams({
    client_id: applicationId,
    scope: 'bot applications.commands',
    permissions: String(permissions),
  })
  return `https://discord.com/oauth2/authorize?${query.toString()}`
}

/**
 * Asks Discord whose a bot token is.
 * @param workspace the server, where the bot is in several
 * @throws AppError `invalid` for what Discord refuses, `unavailable` when it does not answer
 */
export async function testBot(api: string, token: string, workspace?: string): Promise<TestedToken> {
  const ask = (path: string): Promise<unknown> =>
    askDiscord(api, token, path).catch((error: unknown) => {
      throw error instanceof DiscordRefusal
        ? new AppError(
            'invalid',
            `Discord refused the bot token: ${error.message}. Copy the token on the app’s page “Bot”`,
          )
        : error
    })
  const bot = me.parse(await ask('users/@me'))
  const app = application.parse(await ask('applications/@me'))
  const servers = z.array(named).parse(await ask('users/@me/guilds'))
  const invite = `Invite it by ${inviteUrl(app.id)} and connect it again`
  if (servers.length === 0) throw new AppError('invalid', `The bot is in no server. ${invite}`)
  const server = workspace === undefined ? servers[0] : servers.find(({ id }) => id === workspace)
  if (!server) throw new AppError('invalid', `The bot is not in the server ${workspace ?? ''}. ${invite}`)
  if (workspace === undefined && servers.length > 1)
    throw new AppError(
      'invalid',
      `The bot is in several servers. Give the ID of one: ${servers
        .slice(0, 10)
        .map(({ id, name }) => `${id} (${name})`)
        .join(', ')}`,
    )
  const flags = app.flags ?? 0
  const isReader = readsMessages.some((bit) => (flags & (1 << bit)) !== 0)
  return {
    workspace: server.id,
    name: server.name,
    bot: bot.id,
    problem: isReader
      ? undefined
      : 'Message Content Intent is off on the app’s page “Bot”: only messages that mention the app are answered',
  }
}

const text = (name: string, description: string): object => ({
  type: 1,
  name,
  description,
  options: [{ type: 3, name: 'text', description: 'In your own words', required: true, max_length: 2000 }],
})
const plain = (name: string, description: string): object => ({ type: 1, name, description })

/** Makes the command of the app known in a server; what was known of it before is replaced. */
export async function registerCommands(api: string, token: string, server: string): Promise<void> {
  const app = application.parse(await askDiscord(api, token, 'applications/@me'))
  const command = {
    name: 'docwright',
    type: 1,
    description: 'Ask about the docs, or change them',
    options: [
      text('ask', 'Ask about the docs'),
      text('change', 'Change the docs'),
      plain('jobs', 'Show the last jobs'),
      plain('link', 'Link your account'),
      plain('unlink', 'Unlink your account'),
      plain('help', 'Show what the app can do'),
    ],
  }
  await askDiscord(api, token, `applications/${app.id}/guilds/${server}/commands`, {
    method: 'PUT',
    body: [command] as object,
  })
}
