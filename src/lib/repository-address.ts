import { AppError } from './errors.ts'

/** The names under which hosts accept SSH on port 443, for networks that allow only web traffic. */
const siteOfSsh: Record<string, string> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
}

/** Whether a location is an address instead of a folder. */
export function isAddress(location: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/|[\w.-]+@[\w.-]+:)/i.test(location)
}

/**
 * The https address for what people copy from a host's pages or from their own clone. Other protocols are left as
 * they are, and are refused later with their name.
 * @throws AppError `invalid` for SSH on another port, from which the port for https cannot be known
 */
export function readAddress(location: string): string {
  const short = /^[\w.-]+@([\w.-]+):(?!\/)(.+)$/.exec(location)
  if (short && !location.includes('://')) return httpsOf(short[1] ?? '', short[2] ?? '')
  const url = URL.canParse(location) ? new URL(location) : undefined
  if (url === undefined) return location
  if (/^(?:git\+)?ssh:$/.test(url.protocol)) {
    const { hostname, port, pathname } = url
    const address = httpsOf(hostname, pathname)
    if (port !== '' && port !== '22' && siteOfSsh[hostname] === undefined)
      throw new AppError(
        'invalid',
        `Repositories are fetched over https, not SSH. Enter the https URL, for example ${address}`,
      )
    return address
  }
  // Bitbucket puts the user's name into the addresses that it offers for copying. An address with a password is
  // refused later.
  if (url.protocol === 'https:' && url.password === '') url.username = ''
  if (/^https?:$/.test(url.protocol)) {
    url.search = ''
    url.hash = ''
  }
  return url.href
}

function httpsOf(host: string, path: string): string {
  return `https://${siteOfSsh[host.toLowerCase()] ?? host}/${path.replace(/^\/+/, '')}`
}
