import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { CheckAddress } from '../../../lib/check-address.ts'
import { pinnedRequest } from '../../../lib/pinned-request.ts'

/** A `fetch` that connects to checked addresses. Where there are any, it follows no redirects. */
export function checkedFetch(plain: typeof fetch, checkAddress: CheckAddress): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const addresses = await checkAddress(url)
    if (!addresses) return plain(input, init)
    const request = new Request(input, init)
    return responseOf(
      await pinnedRequest(url, addresses, {
        method: request.method,
        headers: Object.fromEntries(request.headers),
        body: new Uint8Array(await request.arrayBuffer()),
        // A request's own signal may be collected before it is aborted.
        signal: init?.signal ?? request.signal,
      }),
    )
  }
}

const withoutBody = [204, 205, 304]

function responseOf(incoming: IncomingMessage): Response {
  const status = incoming.statusCode ?? 0
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  if (!withoutBody.includes(status)) return new Response(Readable.toWeb(incoming), { status, headers })
  incoming.resume()
  return new Response(null, { status, headers })
}
