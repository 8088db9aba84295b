import { z } from 'zod'
import type { Chat } from '../table.ts'
import { threadName, type Delivery, type Place } from '../platform.ts'

const id = z.string().regex(/^\d{1,25}$/)
const user = z.looseObject({
  id,
  username: z.string(),
  global_name: z.string().nullish(),
  bot: z.boolean().optional(),
})
/** A channel that is a thread has a parent. */
const channel = z.looseObject({ id, type: z.int(), parent_id: id.nullish() })
const message = z.looseObject({
  id,
  type: z.int(),
  channel_id: id,
  guild_id: id.optional(),
  content: z.string(),
  author: user,
  mentions: z.array(user),
  // Put there by the socket, because Discord does not say it.
  parent_id: id.optional(),
})
const option = z.looseObject({ name: z.string(), value: z.unknown().optional() })
const interaction = z.looseObject({
  id,
  application_id: id,
  type: z.int(),
  token: z.string().min(1),
  guild_id: id.optional(),
  channel,
  member: z.looseObject({ user }).optional(),
  user: user.optional(),
  message: z.looseObject({ id }).optional(),
  data: z.looseObject({
    name: z.string().optional(),
    custom_id: z.string().optional(),
    options: z.array(option.extend({ options: z.array(option).optional() })).optional(),
  }),
})
const packet = z.looseObject({ t: z.string(), d: z.looseObject({}) })

/** After Discord’s documentation of its types. */
const messageTypes = { plain: 0, reply: 19 }
const interactionTypes = { command: 2, component: 3 }
const threadTypes = new Set([10, 11, 12])
const nothing = { kind: 'nothing' } as const

export type Interaction = z.output<typeof interaction>

export function isThreadType(type: number): boolean {
  return threadTypes.has(type)
}

/** The interaction that a packet holds, which waits for an answer. */
export function interactionIn(body: string): Interaction | undefined {
  const { t, d } = packet.parse(JSON.parse(body))
  return t === 'INTERACTION_CREATE' ? interaction.safeParse(d).data : undefined
}

export function isCommand({ type }: Interaction): boolean {
  return type === interactionTypes.command
}

/** Reads what came over a socket that this server has opened with its token. */
export function readPacket(body: string, { bot, workspace }: Pick<Chat, 'bot' | 'workspace'>): Delivery {
  const { t, d } = packet.parse(JSON.parse(body))
  if (t === 'GUILD_DELETE' && d['id'] === workspace && d['unavailable'] !== true) return { kind: 'removed' }
  if (t === 'INTERACTION_CREATE') return readInteraction(interaction.safeParse(d).data, workspace)
  const said = t === 'MESSAGE_CREATE' ? message.safeParse(d).data : undefined
  if (!said || said.author.bot === true || said.author.id === bot) return nothing
  if (said.type !== messageTypes.plain && said.type !== messageTypes.reply) return nothing
  const isDirect = said.guild_id === undefined
  if (!isDirect && said.guild_id !== workspace) return nothing
  return {
    kind: 'event',
    key: `message ${said.channel_id} ${said.id}`,
    incoming: {
      kind: 'message',
      place: isDirect
        ? directPlace(said.channel_id)
        : said.parent_id === undefined
          ? placeOf(said.channel_id, said.id)
          : placeOf(said.parent_id, said.channel_id),
      member: memberOf(said.author),
      id: said.id,
      text: textOf(said.content, said.mentions, bot),
      isMention: said.mentions.some((one) => one.id === bot),
    },
  }
}

/** Commands and buttons. */
function readInteraction(given: Interaction | undefined, workspace: string): Delivery {
  const who = given?.member?.user ?? given?.user
  if (!given || !who || (given.guild_id !== undefined && given.guild_id !== workspace)) return nothing
  const member = memberOf(who)
  if (isCommand(given)) {
    const [sub] = given.data.options ?? []
    const words = (sub?.options ?? []).flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
    const text = [sub?.name ?? '', ...words].join(' ')
    const incoming = { kind: 'command', place: placeIn(given), member, text } as const
    return { kind: 'event', key: `command ${given.id}`, incoming }
  }
  const { custom_id: custom } = given.data
  if (given.type !== interactionTypes.component || custom === undefined || !given.message) return nothing
  const [action = '', value = ''] = custom.split('\n')
  const place = placeIn(given, given.message.id)
  return {
    kind: 'event',
    key: `button ${given.id}`,
    incoming: { kind: 'button', place, member, action, value },
  }
}

/** @param first the message that a thread begins with, where the channel is none */
function placeIn({ channel: at, guild_id: guild }: Interaction, first?: string): Place {
  if (guild === undefined) return directPlace(at.id)
  return isThreadType(at.type) && typeof at.parent_id === 'string'
    ? placeOf(at.parent_id, at.id)
    : placeOf(at.id, first)
}

/** A thread has the id of the message that it begins with. */
function placeOf(of: string, first?: string): Place {
  return { channel: of, thread: first === undefined ? '' : threadName('discord', of, first), isDirect: false }
}

/** Direct messages have no threads: all of a channel are one. */
function directPlace(of: string): Place {
  return { channel: of, thread: threadName('discord', of, of), isDirect: true }
}

function memberOf({ id: member, username, global_name: shown }: z.output<typeof user>): {
  id: string
  name: string
} {
  return { id: member, name: shown ?? username }
}

/** What somebody wrote, without the mention of the app, and with people and emoji as they are called. */
export function textOf(content: string, mentions: readonly z.output<typeof user>[], bot: string): string {
  return content
    .replaceAll(/<@[!&]?(\d{1,25})>/g, (_, of: string) => {
      if (of === bot) return ' '
      const known = mentions.find((one) => one.id === of)
      return known ? (known.global_name ?? known.username) : 'someone'
    })
    .replaceAll(/<a?:(\w{1,50}):\d{1,25}>/g, ':$1:')
    .trim()
}
