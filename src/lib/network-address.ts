import { isIP, isIPv6 } from 'node:net'
import { createAddressList } from './address-list.ts'

/**
 * Whether an IP address may be connected to on behalf of somebody. `private` are those of a network of one's own.
 * `never` are link-local ones, where clouds keep their credentials, and those that belong to no single machine.
 */
export function addressKind(address: string): 'public' | 'private' | 'never' {
  const version = isIP(address)
  if (version === 0 || address.includes('%') || isNever(address)) return 'never'
  return isPrivate(address) || (version === 6 && !isGlobal6(address)) ? 'private' : 'public'
}

/** The host of a URL, without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

const isNever = createAddressList([
  '169.254.0.0/16',
  '224.0.0.0/4',
  '255.255.255.255',
  'fe80::/10',
  'ff00::/8',
  // Where the metadata of a large cloud is over IPv6.
  'fd00:ec2::/32',
  // What translates into IPv4: any address may hide in these.
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
])

const isPrivate = createAddressList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
])

const isGlobal6 = createAddressList(['2000::/3'])

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
