import { setTimeout as delay } from 'node:timers/promises'
import { endingSignal } from '../../lib/ending-signal.ts'
import { AppError, messageOf } from '../../lib/errors.ts'

/** Milliseconds that a platform may take. */
const patience = 10_000
/** How often, and for how many seconds at most, a platform may have calls wait. */
const patienceWithLimits = { times: 3, seconds: 30 }

export interface Called {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | URLSearchParams
}

/**
 * Calls a platform once, after the wait that it asks for where calls are too many.
 * @throws AppError `unavailable` when nothing answers
 */
export async function callPlatform(
  platform: string,
  url: URL,
  called: Called,
  waited = 0,
): Promise<{ status: number; json: unknown }> {
  const { status, json, asked } = await send(url, called).catch((error: unknown) => {
    throw new AppError('unavailable', `${platform} did not answer: ${messageOf(error)}. Try again`)
  })
  if (status >= 500) throw new AppError('unavailable', `${platform} answered ${status}. Try again`)
  // Where a platform does not say how long, each wait is twice the last.
  const wait = asked ?? 2 ** waited
  if (status !== 429 || wait > patienceWithLimits.seconds || waited >= patienceWithLimits.times)
    return { status, json }
  await delay(wait * 1000)
  return callPlatform(platform, url, called, waited + 1)
}

async function send(
  url: URL,
  called: Called,
): Promise<{ status: number; json: unknown; asked: number | undefined }> {
  using waiting = endingSignal({ milliseconds: patience })
  // What an address that was called sends us on to gets no token.
  const response = await fetch(url, { ...called, redirect: 'error', signal: waiting.signal })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const after = response.headers.get('retry-after')
  return {
    status: response.status,
    json: isJson && text !== '' ? JSON.parse(text) : undefined,
    asked: after === null ? undefined : Number(after),
  }
}
