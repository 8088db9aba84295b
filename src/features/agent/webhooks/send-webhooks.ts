import { Webhook } from 'standardwebhooks'
import { messageOf } from '../../../lib/errors.ts'
import { openSecret, type SecretKey } from '../../../lib/secret-box.ts'
import type { Store } from '../../../store/database.ts'
import { outlastTrouble } from '../../../store/store-trouble.ts'
import { claimDue, recordAttempt, renewClaims, type ClaimedMessage } from './claims.ts'
import { payloadText } from './payload.ts'
import { postWebhook, type PostPorts, type PostResult } from './post-webhook.ts'

/** What making and sending webhooks need. */
export interface WebhookPorts {
  store: Store
  /** Encrypts the secrets at rest. */
  secretKey: SecretKey
  /** Whether webhooks may be sent to private networks. */
  toPrivate: boolean
}

export interface SendPorts extends WebhookPorts, PostPorts {
  /**
   * The public address of this server, without a trailing slash; undefined leaves messages that need it to other
   * processes.
   */
  publicUrl: () => string | undefined
  reportError: (error: unknown) => void
  /** Aborts when this process is to end: no further attempts are started. */
  stopping: AbortSignal
}

/** Sends due webhook messages. Any number of processes may do so on one store. */
export interface WebhookSender {
  /** Starts due attempts up to the limit, without waiting for receivers. */
  sweep(): Promise<void>
  /** When nothing is on its way any more. */
  settled(): Promise<void>
}

const mostAtOnce = 16
const mostPerWebhook = 4
/** Milliseconds: renews a claim three times before it expires. */
const renewEvery = 3000

export function createWebhookSender(ports: SendPorts): WebhookSender {
  const underWay = new Map<string, ClaimedMessage & { done: Promise<void> }>()
  const state = { sweeping: false, again: false }
  const begin = (message: ClaimedMessage): void => {
    const done = deliver(ports, message)
      .catch(ports.reportError)
      .then(() => {
        end(message)
        // Other messages may wait for the free place.
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
    state.again = true
    if (state.sweeping) return
    state.sweeping = true
    try {
      while (state.again) {
        state.again = false
        const limit = mostAtOnce - underWay.size
        if (limit <= 0 || ports.stopping.aborted) return
        const busy = [...new Set([...underWay.values()].map(({ webhookId }) => webhookId))]
        const wholeLinks = ports.publicUrl() === undefined
        const claimed = await claimDue(ports.store, { limit, perWebhook: mostPerWebhook, busy, wholeLinks })
        for (const message of claimed) begin(message)
      }
    } finally {
      state.sweeping = false
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
  // A result is recorded even if the database is away for a while, so that the message is not sent again.
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
