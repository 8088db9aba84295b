import { z } from 'zod'
import { onlyThread, threadName, type Delivery, type Place } from '../platform.ts'
import { parsed } from '../parsed.ts'
import type { Chat } from '../table.ts'

const text = z.string().min(1).max(500)
const activity = z.looseObject({
  type: z.string(),
  action: z.string().optional(),
  id: text.optional(),
  serviceUrl: z.url(),
  from: z.looseObject({ id: text, name: z.string().optional() }),
  conversation: z.looseObject({
    id: text,
    conversationType: z.enum(['personal', 'groupChat', 'channel']).catch('channel'),
    tenantId: z.string().optional(),
  }),
  channelData: z.looseObject({ tenant: z.looseObject({ id: z.string() }).optional() }).optional(),
  text: z.string().nullish(),
  entities: z
    .array(
      z.looseObject({
        type: z.string(),
        text: z.string().optional(),
        mentioned: z.looseObject({ id: z.string(), name: z.string().optional() }).optional(),
      }),
    )
    .max(100)
    .catch([])
    .default([]),
  value: z.unknown().optional(),
  replyToId: text.optional(),
})
type Activity = z.output<typeof activity>
/** What a button of ours carries. */
const pressed = z.looseObject({ docwright: z.object({ action: text, value: z.string().max(2000) }) })

const nothing = { kind: 'nothing' } as const

/** Reads an activity that the Bot Framework has sent. */
export function readActivity(body: string, { bot, workspace }: Pick<Chat, 'bot' | 'workspace'>): Delivery {
  const sent = activity.safeParse(parsed(body)).data
  if (!sent || sent.from.id === bot || tenantOf(sent) !== workspace) return nothing
  if (sent.type === 'installationUpdate') return sent.action === 'remove' ? leftBy(sent) : nothing
  const { id, from, serviceUrl: address } = sent
  if (sent.type !== 'message' || id === undefined) return nothing
  const place = placeOf(sent)
  const member = { id: from.id, name: from.name }
  const button = pressed.safeParse(sent.value).data?.docwright
  if (button)
    return {
      kind: 'event',
      key: `button ${place.channel} ${id}`,
      incoming: { kind: 'button', place, member, ...button },
      address,
    }
  return {
    kind: 'event',
    key: `message ${place.channel} ${id}`,
    incoming: {
      kind: 'message',
      place,
      member,
      id,
      text: textOf(sent, bot),
      isMention: sent.entities.some(({ type, mentioned }) => type === 'mention' && mentioned?.id === bot),
    },
    address,
  }
}

function tenantOf({ channelData, conversation }: Activity): string | undefined {
  return (channelData?.tenant?.id ?? conversation.tenantId)?.toLowerCase()
}

/** Teams tells of each team and each member that removes the app, and of no end of all. */
function leftBy({ conversation, from }: Activity): Delivery {
  return conversation.conversationType === 'personal'
    ? { kind: 'left', member: from.id }
    : { kind: 'left', channel: channelIn(conversation.id) }
}

function placeOf({ conversation, id, replyToId, value }: Activity): Place {
  const channel = channelIn(conversation.id)
  const isDirect = conversation.conversationType === 'personal'
  const root = /;messageid=(\d{1,30})$/.exec(conversation.id)?.[1]
  // A press of a button in a channel may name only the message of the button.
  const own = value === undefined ? id : replyToId
  // Only channels have threads.
  const first = conversation.conversationType === 'channel' ? (root ?? own ?? '') : onlyThread
  return { channel, thread: threadName('teams', channel, first), isDirect }
}

function channelIn(conversation: string): string {
  return conversation.split(';')[0] ?? ''
}

const entities: Readonly<Record<string, string>> = {
  '&nbsp;': ' ',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&amp;': '&',
}

/** What somebody wrote, without the mention of the app, and with people as they are called. */
function textOf({ text: written, entities: parts }: Activity, bot: string): string {
  let left = written ?? ''
  for (const { type, text: tag = '', mentioned } of parts)
    if (type === 'mention' && tag !== '' && mentioned)
      left = left.replaceAll(tag, mentioned.id === bot ? ' ' : (mentioned.name ?? 'someone'))
  return left.replaceAll(/&(?:nbsp|lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity).trim()
}
