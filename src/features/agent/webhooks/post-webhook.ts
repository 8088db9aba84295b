import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { endingSignal } from '../../../lib/ending-signal.ts'
import { AppError, messageOf } from '../../../lib/errors.ts'
import { hostOf } from '../../../lib/network-address.ts'
import { pinnedRequest, resolveName, type ResolveName } from '../../../lib/pinned-request.ts'
import { unlessAborted } from '../../../lib/unless-aborted.ts'
import { parseWebhookUrl, requireAllowed } from './webhook-url.ts'

export interface PostPorts {
  resolveName: ResolveName
  toPrivate: boolean
  /** Milliseconds for one attempt, including resolving the name and reading the response. */
  timeout: number
}

export const postDefaults: Pick<PostPorts, 'resolveName' | 'timeout'> = {
  resolveName,
  timeout: 15_000,
}

/** The result of an attempt: the receiver's status, or why there is none. */
export type PostResult = { status: number; error: string | undefined } | { status: undefined; error: string }

const mostRead = 64 * 1024

/**
 * Posts once. The host name is resolved, the address is checked, and the connection goes to that very address.
 * Redirects are not followed.
 */
export async function postWebhook(
  ports: PostPorts,
  address: string,
  body: string,
  headers: Record<string, string>,
): Promise<PostResult> {
  using limit = endingSignal({ milliseconds: ports.timeout })
  const deadline = limit.signal
  try {
    const url = parseWebhookUrl(address, ports.toPrivate)
    const host = hostOf(url)
    const addresses = isIP(host) > 0 ? [host] : await unlessAborted(deadline, () => ports.resolveName(host))
    if (addresses.length === 0) throw new AppError('invalid', `${host} has no address`)
    requireAllowed(addresses, ports.toPrivate)
    const response = await pinnedRequest(url, addresses, { method: 'POST', headers, body, signal: deadline })
    const status = response.statusCode ?? 0
    await drain(response)
    return { status, error: describe(status) }
  } catch (error) {
    const text = deadline.aborted ? `No answer within ${Math.round(ports.timeout / 1000)} s` : explain(error)
    return { status: undefined, error: text.slice(0, 500) }
  }
}

// Only the status matters. The body is read so that the receiver can end its response properly.
async function drain(response: IncomingMessage): Promise<void> {
  let size = 0
  try {
    for await (const chunk of response) {
      size += (chunk as Buffer).byteLength
      if (size > mostRead) break
    }
  } catch {
    // The receiver or the deadline has ended the response early.
  } finally {
    response.destroy()
  }
}

function describe(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400)
    return `The receiver answered ${status}; redirects are not followed. Set the final URL`
  return `The receiver answered ${status}`
}

// When all of several addresses fail, the error has no message.
function explain(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? `: ${String(error.code)}` : ''
  return messageOf(error) || `The connection failed${code}`
}
