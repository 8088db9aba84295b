import { z } from 'zod'

/** An app, as it has described itself. Nobody has checked it. */
export interface AppClient {
  name: string
  redirectUris: string[]
}

const longestName = 100
const mostAddresses = 10
const longestAddress = 500
/** Of an id, which is a part of the address of the page that asks for consent. */
const longestId = 1200

const content = z.object({ n: z.string(), r: z.array(z.string()).min(1).max(mostAddresses) })

/** Addresses that are no app’s, but something that a browser does itself. */
const ofBrowsers = new Set(
  'javascript: data: vbscript: blob: file: filesystem: about: view-source: intent: chrome: ws: wss: ftp:'.split(
    ' ',
  ),
)

/**
 * The id of an app is what it says of itself. So nothing has to be kept of an app before a person has let it do something,
 * and every process knows it.
 * @returns undefined where it would be too long
 */
export function clientIdOf({ name, redirectUris }: AppClient): string | undefined {
  const text = JSON.stringify({ n: cleanName(name), r: redirectUris })
  const id = `app_${Buffer.from(text).toString('base64url')}`
  return id.length > longestId ? undefined : id
}

/** Undefined for what is no id of an app. */
export function readClientId(id: string): AppClient | undefined {
  if (id.length > longestId || !/^app_[\w-]+$/.test(id)) return undefined
  const text = Buffer.from(id.slice(4), 'base64url').toString('utf8')
  const { data } = content.safeParse(parsed(text))
  if (!data?.r.every(isAllowedRedirect)) return undefined
  return { name: cleanName(data.n), redirectUris: data.r }
}

/** Whether people may be sent to an address: of https, of the same machine, or of a program on it. */
export function isAllowedRedirect(address: string): boolean {
  if (address.length > longestAddress || !/^[\x21-\x7e]+$/.test(address) || !URL.canParse(address))
    return false
  const { protocol, hash, username, password } = new URL(address)
  if (hash !== '' || address.includes('#') || username !== '' || password !== '') return false
  if (protocol === 'https:') return true
  return protocol === 'http:' ? isLoopback(address) : !ofBrowsers.has(protocol)
}

/** Whether an app has named an address. Programs on the same machine listen on any port (RFC 8252, 7.3). */
export function namesRedirect({ redirectUris }: AppClient, address: string): boolean {
  if (!isAllowedRedirect(address)) return false
  return redirectUris.some(
    (one) =>
      one === address ||
      (isLoopback(one) && isLoopback(address) && withoutPort(one) === withoutPort(address)),
  )
}

function isLoopback(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

function withoutPort(address: string): string {
  const url = new URL(address)
  url.port = ''
  return url.href
}

function cleanName(name: string): string {
  const line = name
    .replaceAll(/[\p{C}<>]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.slice(0, longestName).toWellFormed() || 'Unnamed app'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
