import { z } from 'zod'

/** What Slack sent, as far as this server has to do with it. */
export type SlackDelivery =
  | { kind: 'challenge'; challenge: string }
  /** The app was removed from the workspace. */
  | { kind: 'removed' }
  | { kind: 'event'; event: SlackEvent }
  | { kind: 'nothing' }

interface SlackEvent {
  key: string
  /** As the library names it: channel and first message. */
  thread: string
  channel: string
  /** Set for what people wrote: it is answered only where the bot is asked or takes part. */
  written?: { isDirect: boolean; isMention: boolean }
}

const text = z.string().min(1).max(500)
const message = z.looseObject({
  type: z.enum(['message', 'app_mention']),
  subtype: z.string().optional(),
  channel: text,
  channel_type: z.string().optional(),
  user: text,
  bot_id: z.string().optional(),
  text: z.string().optional(),
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
  container: z.looseObject({ message_ts: text, thread_ts: text.optional() }),
})

/** Messages of people have no subtype, but for these. */
const written = new Set(['file_share', 'thread_broadcast'])
const nothing = { kind: 'nothing' } as const

/**
 * Reads a delivery whose signature was verified.
 * @param bot the app's own member in the workspace
 */
export function readDelivery(contentType: string, body: string, bot: string): SlackDelivery {
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
    event: {
      // A mention comes twice, as a message and as a mention.
      key: `message ${said.channel} ${said.ts}`,
      thread: `slack:${said.channel}:${said.thread_ts ?? said.ts}`,
      channel: said.channel,
      written: {
        isDirect: said.channel_type === 'im',
        isMention: said.type === 'app_mention' || said.text?.includes(`<@${bot}>`) === true,
      },
    },
  }
}

/** Commands and buttons. */
function readForm(form: URLSearchParams): SlackDelivery {
  const trigger = form.get('trigger_id') ?? ''
  const channel = form.get('channel_id') ?? ''
  if (form.has('command') && trigger !== '' && channel !== '')
    return {
      kind: 'event',
      event: { key: `command ${trigger}`, thread: `slack:${channel}:${trigger}`, channel },
    }
  const pressed = interaction.safeParse(parsed(form.get('payload') ?? '')).data
  if (!pressed) return nothing
  const { container } = pressed
  return {
    kind: 'event',
    event: {
      key: `button ${pressed.trigger_id}`,
      thread: `slack:${pressed.channel.id}:${container.thread_ts ?? container.message_ts}`,
      channel: pressed.channel.id,
    },
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
