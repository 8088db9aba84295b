import { lookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { AppError, messageOf } from '../../../lib/errors.ts'
import { hostOf, parseWebhookUrl, requireAllowed } from './webhook-url.ts'

/** Resolves a host name to its addresses. */
type ResolveName = (name: string) => Promise<string[]>

export interface PostPorts {
  resolveName: ResolveName
  toPrivate: boolean
  /** Milliseconds for one attempt, including resolving the name and reading the response. */
  timeout: number
}

export const postDefaults: Pick<PostPorts, 'resolveName' | 'timeout'> = {
  resolveName: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  timeout: 15_000,
}

/** The result of an attempt: the receiver's status, or why there is none. */
export type PostResult = { status: number; error: string | undefined } | { status: undefined; error: string }

const mostRead = 64 * 1024

/**
 * Posts once. The host name is resolved, the address is checked, and the connection goes to that very address, so
 * that a name which resolves differently a moment later cannot reach another one. Redirects are not followed.
 */
export async function postWebhook(
  ports: PostPorts,
  address: string,
  body: string,
  headers: Record<string, string>,
): Promise<PostResult> {
  const deadline = AbortSignal.timeout(ports.timeout)
  try {
    const url = parseWebhookUrl(address, ports.toPrivate)
    const host = hostOf(url)
    const addresses = isIP(host) > 0 ? [host] : await unlessLate(deadline, ports.resolveName(host))
    if (addresses.length === 0) throw new AppError('invalid', `${host} has no address`)
    requireAllowed(addresses, ports.toPrivate)
    const response = await post(url, addresses, body, headers, deadline)
    const status = response.statusCode ?? 0
    await drain(response)
    return { status, error: describe(status) }
  } catch (error) {
    const text = deadline.aborted ? `No answer within ${Math.round(ports.timeout / 1000)} s` : explain(error)
    return { status: undefined, error: text.slice(0, 500) }
  }
}

function post(
  url: URL,
  addresses: string[],
  body: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  const pinned: LookupFunction = (_name, { all }, done) => {
    if (all) done(null, found)
    else done(null, found[0]?.address ?? '', found[0]?.family)
  }
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const outgoing = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' },
      lookup: pinned,
      // A new connection: a pooled one might go to another address than the one that was checked.
      agent: false,
      signal,
    })
    outgoing.once('response', resolve)
    outgoing.once('error', reject)
    outgoing.end(body)
  })
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
    return `The receiver answered ${status}; redirects are not followed, give the final address`
  return `The receiver answered ${status}`
}

// When all of several addresses fail, the error has no message.
function explain(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? `: ${String(error.code)}` : ''
  return messageOf(error) || `The connection failed${code}`
}

async function unlessLate<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const onAbort = (): void => late.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, late.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
