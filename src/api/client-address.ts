import { getConnInfo } from '@hono/node-server/conninfo'
import { createAddressList } from '../lib/address-list.ts'
import type { RequestContext } from './endpoint.ts'

export type ClientAddress = (context: RequestContext) => string

/**
 * Whom a limit per address counts: the peer of the socket or, only when that is a named proxy, the nearest address of
 * `X-Forwarded-For` that is none of ours, read from the right because the left is the client's to write.
 * @param trusted addresses and CIDR ranges
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

/** The address of a connection's other end. */
export function peerOf(address: string | undefined): string {
  return normalize(address ?? 'unknown')
}

// Without the port that some proxies add, which changes with every connection, and IPv4 as a dual-stack socket shows it.
function normalize(address: string): string {
  const host =
    /^\[([\da-f:.]+)\](?::\d+)?$/i.exec(address)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(address)?.[1]
  return (host ?? address).replace(/^::ffff:(?=\d+\.)/i, '')
}
