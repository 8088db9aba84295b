import { getConnInfo } from '@hono/node-server/conninfo'
import { createAddressList } from '../lib/address-list.ts'
import type { RequestContext } from './endpoint.ts'

export type ClientAddress = (context: RequestContext) => string

/**
 * The client address that limits count. It is the peer of the socket or, when that is a trusted proxy, the last
 * address of `X-Forwarded-For` that is not a trusted proxy. The header is read from the right because the client
 * can write anything at its left end.
 * @param trusted addresses and CIDR ranges of proxies
 */
export function createClientAddress(trusted: string[]): ClientAddress {
  const isProxy = createAddressList(trusted)
  return (context) => {
    const peer = peerOf(getConnInfo(context).remote.address)
    if (!isProxy(peer)) return peer
    const chain = (context.req.header('x-forwarded-for') ?? '')
      .split(',')
      .map((item) => normalize(item.trim()))
    return chain.findLast((address) => address !== '' && !isProxy(address)) ?? peer
  }
}

/** The address of the other end of a connection. */
export function peerOf(address: string | undefined): string {
  return normalize(address ?? 'unknown')
}

// Removes the port that some proxies add, which changes with every connection, and the IPv6 prefix that a
// dual-stack socket gives an IPv4 address.
function normalize(address: string): string {
  const host =
    /^\[([\da-f:.]+)\](?::\d+)?$/i.exec(address)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(address)?.[1]
  return (host ?? address).replace(/^::ffff:(?=\d+\.)/i, '')
}
