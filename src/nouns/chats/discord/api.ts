import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { endingSignal } from '../../../lib/ending-signal.ts'
import { AppError, messageOf } from '../../../lib/errors.ts'

interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: object
}

const failure = z.looseObject({ message: z.string(), code: z.number().optional() })
const limited = z.looseObject({ retry_after: z.number() })

/** Milliseconds that Discord may take. */
const patience = 10_000
/** How often, and for how many seconds at most, Discord may have calls wait. */
const patienceWithLimits = { times: 3, seconds: 30 }

/** What Discord refuses. */
export class DiscordRefusal extends AppError {
  /** Discord’s own, as it documents them. */
  readonly number: number | undefined

  constructor(message: string, number: number | undefined) {
    super('invalid', message)
    this.number = number
  }
}

/**
 * Calls Discord once, after the wait that it asks for where calls are too many.
 * @param token undefined where the address itself is the permission
 * @throws DiscordRefusal, or AppError `unavailable` when nothing answers
 */
export async function askDiscord(
  api: string,
  token: string | undefined,
  path: string,
  { method = 'GET', body }: Call = {},
  waited = 0,
): Promise<unknown> {
  const { status, json } = await send(new URL(path, api), {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bot ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new AppError('unavailable', `Discord did not answer: ${messageOf(error)}. Try again`)
  })
  if (status < 300) return json
  const seconds = status === 429 ? limited.safeParse(json).data?.retry_after : undefined
  if (seconds !== undefined && seconds <= patienceWithLimits.seconds && waited < patienceWithLimits.times) {
    await delay(seconds * 1000)
    return askDiscord(api, token, path, { method, ...(body && { body }) }, waited + 1)
  }
  if (status >= 500) throw new AppError('unavailable', `Discord answered ${status}. Try again`)
  const refused = failure.safeParse(json).data
  throw new DiscordRefusal(refused?.message ?? `Discord answered ${status}`, refused?.code)
}

async function send(url: URL, init: RequestInit): Promise<{ status: number; json: unknown }> {
  using waiting = endingSignal({ milliseconds: patience })
  const response = await fetch(url, { ...init, signal: waiting.signal })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return { status: response.status, json: isJson && text !== '' ? JSON.parse(text) : undefined }
}
