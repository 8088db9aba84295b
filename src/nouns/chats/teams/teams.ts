import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import { firstOf, onlyThread, type ChatPlatform, type Connection, type Spot } from '../platform.ts'
import type { ChatApis } from '../../../lib/chat-apis.ts'
import type { Chat, ChatSecrets } from '../table.ts'
import { openTeams, TeamsRefusal, testSecret } from './api.ts'
import { activityOf } from './card.ts'
import { readActivity } from './read-activity.ts'
import { verifyCall } from './verify-call.ts'

/** An ID of Microsoft’s directory. */
const guid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

export const teams: ChatPlatform = {
  name: 'Microsoft Teams',
  markup: 'teams',
  longest: { block: 2800, blocks: 6 },
  channel: {
    pattern: /^19:[\w.-]{1,100}@(?:thread\.(?:tacv2|skype|v2)|unq\.gbl\.spaces)$/,
    example: '19:0123abcd@thread.tacv2',
    where: 'In “Get link to channel” of the channel’s menu. Write : for %3A and @ for %40.',
  },
  // Teams allows 60 calls in 30 seconds in a conversation.
  editEvery: 2000,
  calls: {
    header: 'authorization',
    verify: (apis, { appId }, call) => appId !== undefined && verifyCall(apis.teams.keys, appId, call),
  },
  read: ({ body }, chat) => readActivity(body, chat),
  async test(apis, { appId, botToken: secret }, workspace) {
    if (appId === undefined || !guid.test(appId))
      throw new AppError('invalid', 'Give the application (client) ID of the app’s registration')
    if (workspace === undefined || !guid.test(workspace))
      throw new AppError('invalid', 'Give the directory (tenant) ID of the app’s registration')
    const tenant = workspace.toLowerCase()
    await testSecret(apis.teams, { appId, secret, tenant })
    return { workspace: tenant, name: 'Microsoft Teams', bot: `28:${appId}`, problem: undefined }
  },
  connect,
}

const created = z.looseObject({ id: z.string() })
const begun = z.looseObject({ id: z.string(), activityId: z.string() })
const hasThreads = /@thread\.(?:tacv2|skype)$/

const cannotTell =
  'I can’t write to you in private, because you don’t have this app. Add it for yourself in Teams, and write to it directly.'

function connect({ teams: apis }: ChatApis, chat: Chat, { botToken, appId = '' }: ChatSecrets): Connection {
  const { workspace: tenant, bot } = chat
  const ask = openTeams(apis, addressFor(apis, chat), { appId, secret: botToken, tenant })
  const pathOf = ({ channel, thread }: Spot, rest = ''): string => {
    const first = thread === undefined ? onlyThread : firstOf(thread)
    const conversation = first === onlyThread ? channel : `${channel};messageid=${first}`
    return `v3/conversations/${encodeURIComponent(conversation)}/activities${rest}`
  }
  const shared = { bot: { id: bot }, tenantId: tenant }

  /** Begins a thread of a channel. */
  async function begin(channel: string, activity: object): Promise<string> {
    const channelData = { channel: { id: channel }, tenant: { id: tenant } }
    const answer = await ask('POST', 'v3/conversations', { ...shared, isGroup: true, channelData, activity })
    return begun.parse(answer).activityId
  }

  return {
    async post(spot, content) {
      const activity = activityOf(content)
      if (spot.thread === undefined && hasThreads.test(spot.channel)) return begin(spot.channel, activity)
      return created.parse(await ask('POST', pathOf(spot), activity)).id
    },
    // Teams has no key for calls, and lets an app read nothing without consent of an administrator.
    findPosted: () => Promise.resolve(undefined),
    async edit(spot, id, content) {
      await ask('PUT', pathOf(spot, `/${encodeURIComponent(id)}`), activityOf(content))
    },
    async tell({ place, member }, _, content) {
      if (place.isDirect) {
        await ask('POST', pathOf(place), activityOf(content))
        return
      }
      const direct = await ask('POST', 'v3/conversations', {
        ...shared,
        isGroup: false,
        members: [{ id: member.id }],
        channelData: { tenant: { id: tenant } },
      }).then((answer) => created.parse(answer).id, unlessRefused)
      if (direct !== undefined) await ask('POST', pathOf({ channel: direct }), activityOf(content))
      else
        await ask(
          'POST',
          pathOf(place),
          activityOf({ blocks: [cannotTell], buttons: [], notice: cannotTell }),
        )
    },
    messagesBefore: () =>
      Promise.reject(
        new AppError(
          'invalid',
          'In Teams an app can’t read what others wrote in a thread. Write what was decided in your message',
        ),
      ),
    nameOf: ({ id, name = id }) => Promise.resolve(name),
  }
}

/** @throws what is no refusal */
function unlessRefused(error: unknown): undefined {
  if (error instanceof TeamsRefusal) return undefined
  throw error
}

/**
 * Where Teams answers for a tenant: the address that an activity has named, when it is one of Teams itself. Tokens go nowhere
 * else.
 */
function addressFor({ api }: ChatApis['teams'], { address }: Pick<Chat, 'address'>): string {
  if (address === undefined || new URL(address).origin !== new URL(api).origin) return api
  return address.endsWith('/') ? address : `${address}/`
}
