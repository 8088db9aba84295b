import { AppError } from '../../../lib/errors.ts'

export interface WholeAnswer {
  status: number
  headers: Headers
  /** Undefined when there was no body or it cannot be read. */
  body: unknown
  /** False when the body is not JSON or was cut off. */
  readable: boolean
}

const hops = 3

/**
 * Sends one request and reads its whole answer. Redirects are followed within the origin only, so that no other
 * host sees the credential. They keep the method, as hosts require for renamed repositories.
 * @throws AppError `invalid` for a redirect to another origin, `too_large`; whatever fetch throws
 */
export async function sendRequest(
  port: typeof fetch,
  url: URL,
  request: { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal },
  maxBytes: number,
): Promise<WholeAnswer> {
  let at = url
  for (let hop = 0; ; hop++) {
    const response = await port(at.href, { ...request, redirect: 'manual' })
    const location = response.headers.get('location')
    const kept = request.method === 'GET' ? [301, 302, 303, 307, 308] : [301, 307, 308]
    if (location === null || !kept.includes(response.status))
      return readAnswer(response, url.origin, maxBytes)
    await response.body?.cancel()
    const next = URL.canParse(location, at.href) ? new URL(location, at) : undefined
    if (next?.origin !== url.origin) {
      const elsewhere = next === undefined ? 'an address that cannot be read' : next.origin
      throw new AppError(
        'invalid',
        `${url.origin} redirects to ${elsewhere}: use the address that it has now`,
      )
    }
    if (hop === hops) throw new AppError('invalid', `${url.origin} redirects endlessly. Check the URL`)
    at = next
  }
}

async function readAnswer(response: Response, origin: string, maxBytes: number): Promise<WholeAnswer> {
  const { status, headers } = response
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) {
      throw new AppError('too_large', `The answer of ${origin} is larger than ${maxBytes} bytes`)
    }
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  if (text.trim() === '') return { status, headers, body: undefined, readable: true }
  try {
    return { status, headers, body: JSON.parse(text), readable: true }
  } catch {
    return { status, headers, body: undefined, readable: false }
  }
}
