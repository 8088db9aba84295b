import { z } from 'zod'
import { onlyThread, threadName, type Delivery, type Incoming, type Place } from '../platform.ts'
import { parsed } from '../parsed.ts'

const id = '[\\w.-]{1,200}'
const spaceName = z.string().regex(new RegExp(`^spaces/${id}$`))
const threadOf = z.looseObject({ name: z.string().regex(new RegExp(`^spaces/${id}/threads/${id}$`)) })
const space = z.looseObject({
  name: spaceName,
  spaceType: z.enum(['SPACE', 'GROUP_CHAT', 'DIRECT_MESSAGE']).catch('SPACE'),
  spaceThreadingState: z.string().optional(),
})
const message = z.looseObject({
  name: z.string().regex(new RegExp(`^spaces/${id}/messages/${id}$`)),
  text: z.string().default(''),
  argumentText: z.string().optional(),
  slashCommand: z.unknown().optional(),
  thread: threadOf.optional(),
})
const text = z.string().max(2000)
const event = z.looseObject({
  type: z.string(),
  eventTime: z.string().max(100),
  user: z.looseObject({
    name: z.string().regex(new RegExp(`^users/${id}$`)),
    displayName: z.string().optional(),
    type: z.string().optional(),
  }),
  space,
  message: message.optional(),
  thread: threadOf.optional(),
  action: z
    .looseObject({
      parameters: z
        .array(z.looseObject({ key: text, value: text }))
        .max(20)
        .default([]),
    })
    .optional(),
})
type ChatEvent = z.output<typeof event>

const nothing = { kind: 'nothing' } as const

/** Reads what Google Chat tells an app of what a person did with it. */
export function readEvent(body: string): Delivery {
  const sent = event.safeParse(parsed(body)).data
  if (!sent || sent.user.type === 'BOT') return nothing
  const { type, user, eventTime, message: said } = sent
  const place = placeOf(sent)
  const member = { id: lastOf(user.name), name: user.displayName }
  // What nothing else names, such as two presses of one button, is told apart by its time.
  const moment = `${member.id} ${eventTime}`
  const asEvent = (key: string, incoming: Incoming): Delivery => ({
    kind: 'event',
    key: `${incoming.kind} ${place.channel} ${key}`,
    incoming,
  })
  if (type === 'REMOVED_FROM_SPACE')
    return place.isDirect ? { kind: 'left', member: member.id } : { kind: 'left', channel: place.channel }
  if (type === 'CARD_CLICKED') {
    const parameters = new Map(sent.action?.parameters.map(({ key, value }) => [key, value]))
    const [action, value] = [parameters.get('action'), parameters.get('value')]
    if (action === undefined || value === undefined) return nothing
    const pressed = { kind: 'button', place, member, action, value } as const
    return asEvent(`${said ? lastOf(said.name) : ''} ${moment}`, pressed)
  }
  const words = (said?.argumentText ?? said?.text ?? '').trim()
  const key = said ? lastOf(said.name) : moment
  if (type === 'APP_COMMAND' || said?.slashCommand !== undefined)
    return asEvent(key, { kind: 'command', place, member, text: words })
  // Whoever adds the app by a mention has asked something already.
  if (!said || (type !== 'MESSAGE' && type !== 'ADDED_TO_SPACE')) return nothing
  // In spaces Google Chat tells an app only of what mentions it.
  return asEvent(key, { kind: 'message', place, member, id: key, text: words, isMention: !place.isDirect })
}

function placeOf({ space: at, thread, message: said }: ChatEvent): Place {
  const channel = lastOf(at.name)
  const isDirect = at.spaceType === 'DIRECT_MESSAGE'
  const name = thread?.name ?? said?.thread?.name
  const isFlat = at.spaceType !== 'SPACE' || at.spaceThreadingState === 'UNTHREADED_MESSAGES'
  const first = isFlat ? onlyThread : name === undefined ? undefined : lastOf(name)
  return { channel, thread: first === undefined ? '' : threadName('google-chat', channel, first), isDirect }
}

/** The id in a name such as `spaces/A/messages/B`. */
export function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
