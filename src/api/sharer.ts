import { isIPv6 } from 'node:net'
import type { Project } from '../features/projects/projects.ts'
import { createAddressList } from '../lib/address-list.ts'
import type { Sharer, RequestContext } from './endpoint.ts'

export const sharerKinds = ['address', 'key', 'person', 'project', 'organization'] as const

/** Before the key is checked only the address is known; tests without a connection know nothing. */
export function sharerOf(context: Pick<RequestContext, 'get'>): Sharer {
  return context.get('sharer') ?? {}
}

/** Notes for whose project a request is, once its caller is known to have access. */
export function shareAsProject(
  context: Pick<RequestContext, 'get' | 'set'>,
  { id, organizationId: organization }: Pick<Project, 'id' | 'organizationId'>,
  key?: string,
): void {
  context.set('sharer', { ...sharerOf(context), key, project: id, organization })
}

const isOwn = createAddressList(['127.0.0.0/8', '::1'])

/**
 * The address or network that counts in a share. Undefined for this machine, because it may be a proxy for many
 * clients, or the operator. An IPv6 address counts as its /64 network, because its owner usually has the whole
 * network.
 */
export function networkOf(address: string): string | undefined {
  if (isOwn(address)) return undefined
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length)
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ?? '').split(':')]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
