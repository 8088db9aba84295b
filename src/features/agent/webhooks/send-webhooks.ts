import { Webhook } from 'standardwebhooks'
import { messageOf } from '../../../lib/errors.ts'
import { openSecret } from '../../../lib/secret-box.ts'
import { outlastTrouble } from '../../../store/store-trouble.ts'
import { claimDue, recordAttempt, renewClaims, type ClaimedMessage } from './claims.ts'
import type { WebhookPorts } from './create-webhook.ts'
import { payloadText } from './payload.ts'
import { postWebhook, type PostPorts, type PostResult } from './post-webhook.ts'

export interface SendPorts extends WebhookPorts, PostPorts {
  /** Where people reach this server, without a slash at the end; undefined leaves messages that need it to others. */
  publicUrl: () => string | undefined
  reportError: (error: unknown) => void
  /** Aborts when this process is to end: nothing more is begun. */
  stopping: AbortSignal
}

/** Sends what is due from this process. Any number of processes may do so on one store. */
export interface WebhookSender {
  /** Begins what is due, as far as there is room, and does not wait for receivers. */
  sweep(): Promise<void>
  /** When nothing is on its way any more. */
  settled(): Promise<void>
}

const mostAtOnce = 16
const mostPerWebhook = 4
/** Milliseconds: three times within a claim. */
const renewEvery = 3000

export function createWebhookSender(ports: SendPorts): WebhookSender {
  const underWay = new Map<string, ClaimedMessage & { done: Promise<void> }>()
  const asked = { sweeping: false, again: false }
  const begin = (message: ClaimedMessage): void => {
    const done = deliver(ports, message)
      .catch(ports.reportError)
      .then(() => {
        end(message)
        // More may wait for the room that this leaves.
        return sweep()
      })
      .catch(ports.reportError)
    underWay.set(message.id, { ...message, done })
    renewing ??= setInterval(renew, renewEvery)
  }
  let renewing: NodeJS.Timeout | undefined
  const renew = (): void => void renewClaims(ports.store, [...underWay.values()]).catch(ports.reportError)
  const end = ({ id }: ClaimedMessage): void => {
    underWay.delete(id)
    if (underWay.size > 0) return
    clearInterval(renewing)
    renewing = undefined
  }
  const sweep = async (): Promise<void> => {
    asked.again = true
    if (asked.sweeping) return
    asked.sweeping = true
    try {
      while (asked.again) {
        asked.again = false
        const limit = mostAtOnce - underWay.size
        if (limit <= 0 || ports.stopping.aborted) return
        const busy = [...new Set([...underWay.values()].map(({ webhookId }) => webhookId))]
        const wholeLinks = ports.publicUrl() === undefined
        const claimed = await claimDue(ports.store, { limit, perWebhook: mostPerWebhook, busy, wholeLinks })
        for (const message of claimed) begin(message)
      }
    } finally {
      asked.sweeping = false
    }
  }
  return {
    sweep,
    async settled() {
      while (underWay.size > 0) await Promise.all([...underWay.values()].map(({ done }) => done))
    },
  }
}

async function deliver(ports: SendPorts, message: ClaimedMessage): Promise<void> {
  const before = performance.now()
  const result = await attempt(ports, message)
  const milliseconds = Math.round(performance.now() - before)
  // What was delivered is written down even when the database is away meanwhile, so that it is not sent again.
  await outlastTrouble(ports.stopping, () =>
    ports.store.transaction((tx) => recordAttempt(tx, message, { ...result, milliseconds })),
  )
}

async function attempt(ports: SendPorts, message: ClaimedMessage): Promise<PostResult> {
  let secret: string
  try {
    secret = openSecret(ports.secretKey, message.webhookId, message.secret)
  } catch (error) {
    return { status: undefined, error: messageOf(error) }
  }
  const body = payloadText(message.payload, ports.publicUrl() ?? '')
  const now = new Date()
  return postWebhook(ports, message.url, body, {
    'content-type': 'application/json',
    'user-agent': 'Docwright',
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(message.id, now, body),
  })
}
