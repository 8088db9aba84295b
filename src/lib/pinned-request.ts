import { lookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'

/** Resolves a host name to its addresses. */
export type ResolveName = (name: string) => Promise<string[]>

export const resolveName: ResolveName = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address)

/**
 * Sends a request to addresses that were checked, so that a name which resolves differently a moment later cannot
 * reach another one. Redirects are not followed.
 */
export function pinnedRequest(
  url: URL,
  addresses: readonly string[],
  {
    body,
    ...options
  }: { method: string; headers: Record<string, string>; body: string | Uint8Array; signal: AbortSignal },
): Promise<IncomingMessage> {
  const targets = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  const pinned: LookupFunction = (_name, { all }, done) => {
    if (all) done(null, targets)
    else done(null, targets[0]?.address ?? '', targets[0]?.family)
  }
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    // A new connection: a pooled one might go to another address than the one that was checked.
    const outgoing = send(url, { ...options, lookup: pinned, agent: false })
    outgoing.once('response', resolve)
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}
