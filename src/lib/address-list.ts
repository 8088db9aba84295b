import { BlockList, isIP, isIPv6 } from 'node:net'

/** Whether an address is one of the list's. IPv4 rules hold for addresses written as `::ffff:1.2.3.4` too. */
export type AddressList = (address: string) => boolean

/** @param entries IP addresses and CIDR ranges that `isAddressRange` accepts */
export function createAddressList(entries: readonly string[]): AddressList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => list.check(address, familyOf(address))
}

/** `203.0.113.7`, `203.0.113.0/24` or `2001:db8::/32`. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, more] = text.split('/')
  if (isIP(address) === 0 || address.includes('%') || more !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv6(address) ? 128 : 32))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}
