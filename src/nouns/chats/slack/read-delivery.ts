import { z } from 'zod'
import { threadName, type Delivery, type Place, type Raw } from '../platform.ts'
import { parsed } from '../parsed.ts'
import { textOf } from './text-of.ts'

const text = z.string().min(1).max(500)
const message = z.looseObject({
  type: z.enum(['message', 'app_mention']),
  subtype: z.string().optional(),
  channel: text,
  channel_type: z.string().optional(),
  user: text,
  bot_id: z.string().optional(),
  text: z.string().default(''),
  ts: text,
  thread_ts: text.optional(),
})
const envelope = z.looseObject({
  type: z.string(),
  challenge: z.string().optional(),
  event: z.looseObject({ type: z.string() }).optional(),
})
const interaction = z.looseObject({
  type: z.literal('block_actions'),
  trigger_id: text,
  channel: z.looseObject({ id: text }),
  user: z.looseObject({ id: text }),
  container: z.looseObject({ message_ts: text, thread_ts: text.optional() }),
  actions: z.array(z.looseObject({ action_id: text, value: z.string().default('') })).min(1),
})

/** Messages of people have no subtype, but for these. */
const written = new Set(['file_share', 'thread_broadcast'])
const nothing = { kind: 'nothing' } as const

/**
 * Reads a delivery whose signature was verified.
 * @param bot the app's own member in the workspace
 */
export function readDelivery({ contentType, body }: Raw, bot: string): Delivery {
  if (contentType.includes('application/x-www-form-urlencoded')) return readForm(new URLSearchParams(body))
  const read = envelope.safeParse(parsed(body)).data
  if (read?.type === 'url_verification') return { kind: 'challenge', challenge: read.challenge ?? '' }
  const type = read?.event?.type
  if (type === 'app_uninstalled' || type === 'tokens_revoked') return { kind: 'removed' }
  const said = message.safeParse(read?.event).data
  if (!said || said.bot_id !== undefined || said.user === bot) return nothing
  if (said.subtype !== undefined && !written.has(said.subtype)) return nothing
  return {
    kind: 'event',
    // A mention comes twice, as a message and as a mention.
    key: `message ${said.channel} ${said.ts}`,
    incoming: {
      kind: 'message',
      place: placeOf(said.channel, said.thread_ts ?? said.ts),
      member: { id: said.user },
      id: said.ts,
      text: textOf(said.text, bot),
      isMention: said.type === 'app_mention' || said.text.includes(`<@${bot}>`),
    },
  }
}

/** Commands and buttons. */
function readForm(form: URLSearchParams): Delivery {
  const trigger = form.get('trigger_id') ?? ''
  const channel = form.get('channel_id') ?? ''
  if (form.has('command') && trigger !== '' && channel !== '')
    return {
      kind: 'event',
      key: `command ${trigger}`,
      incoming: {
        kind: 'command',
        place: placeOf(channel),
        member: { id: form.get('user_id') ?? '' },
        text: form.get('text') ?? '',
      },
    }
  const pressed = interaction.safeParse(parsed(form.get('payload') ?? '')).data
  const [action] = pressed?.actions ?? []
  if (!pressed || !action) return nothing
  const { container } = pressed
  return {
    kind: 'event',
    key: `button ${pressed.trigger_id}`,
    incoming: {
      kind: 'button',
      place: placeOf(pressed.channel.id, container.thread_ts ?? container.message_ts),
      member: { id: pressed.user.id },
      action: action.action_id,
      value: action.value,
    },
  }
}

function placeOf(channel: string, first?: string): Place {
  return {
    channel,
    thread: first === undefined ? '' : threadName('slack', channel, first),
    // Ids of direct messages are the only ones that begin so.
    isDirect: channel.startsWith('D'),
  }
}
