import { SocketModeClient } from '@slack/socket-mode'
import { z } from 'zod'
import type { Raw, Socket, SocketPorts } from '../platform.ts'

/** Milliseconds that Slack may take to greet. */
const patience = 20_000

const envelope = z.looseObject({ type: z.string(), body: z.looseObject({}).optional() })
const silent = (): undefined => undefined
const form = 'application/x-www-form-urlencoded'

/** Loaded only where a workspace is connected in this way. It is not opened again when it ends. */
export function openSocket(
  api: string,
  appToken: string,
  { keep, reportError, ended }: Omit<SocketPorts, 'session'>,
): Socket {
  const client = new SocketModeClient({
    appToken,
    autoReconnectEnabled: false,
    clientOptions: { slackApiUrl: api, timeout: patience, retryConfig: { retries: 0 } },
    logger: {
      debug: silent,
      info: silent,
      warn: silent,
      error: silent,
      setLevel: silent,
      getLevel: () => 'error' as never,
      setName: silent,
    },
  })
  client.on('slack_event', (told: { ack(): Promise<void> }) => {
    const delivery = deliveryOf(told)
    Promise.resolve(delivery && keep(delivery))
      .then(() => told.ack())
      .catch(reportError)
  })
  let isOver = false
  const end = (): void => {
    if (isOver) return
    isOver = true
    clearTimeout(waiting)
    ended()
  }
  const close = (): void => {
    client.disconnect().catch(silent)
    end()
  }
  const waiting = setTimeout(close, patience)
  client.on('disconnected', end)
  client
    .start()
    .then(() => clearTimeout(waiting))
    .catch((error: unknown) => {
      if (!isOver) reportError(error)
      close()
    })
  return { close }
}

/** In the form in which Slack also posts it. */
function deliveryOf(told: unknown): Raw | undefined {
  const { type, body = {} } = envelope.parse(told)
  if (type === 'events_api') return { contentType: 'application/json', body: JSON.stringify(body) }
  if (type === 'interactive')
    return { contentType: form, body: new URLSearchParams({ payload: JSON.stringify(body) }).toString() }
  if (type !== 'slash_commands') return undefined
  const fields = Object.entries(body).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
  return { contentType: form, body: new URLSearchParams(fields).toString() }
}
