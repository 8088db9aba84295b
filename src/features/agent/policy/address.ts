import { decodeEntities } from './decode-entities.ts'

const bases = ['https://this-site.invalid', 'http://this-site.invalid'] as const
// Far beyond it no address works, and every reading of it costs.
const maxAddress = 20_000
const maxSet = 1000

/** A scheme that runs or embeds what follows it; undefined for every other address. Read as browsers read it. */
export function activeScheme(address: string): 'javascript' | 'vbscript' | 'data' | undefined {
  const plain = decodeEntities(address.slice(0, maxAddress))
    .replaceAll(/[\p{Cc}\s\\\u00ad\u200b-\u200f\ufeff]/gu, '')
    .toLowerCase()
  if (plain.startsWith('javascript:')) return 'javascript'
  if (plain.startsWith('vbscript:') || plain.startsWith('livescript:')) return 'vbscript'
  return plain.startsWith('data:') ? 'data' : undefined
}

/** A picture that holds no script, as `data:` addresses may bring it. */
export function isPlainPicture(address: string): boolean {
  return /^\s*data:image\/(?:png|jpe?g|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)[;,]/i.test(address)
}

/**
 * The hosts that an address can lead to, in their ASCII form; none when it stays on the site. Who reads it decides whether
 * character references in it are read, and the page's own scheme whether `https:name` is one: every reading counts.
 */
export function hostsOf(address: string): string[] {
  const given = address.slice(0, maxAddress)
  const hosts = new Set<string>()
  let reading = given
  for (let times = 0; times < 3; times++) {
    const plain = withoutGaps(reading)
    if (/^[a-z][a-z0-9+.-]*:|^[\\/]{2}/i.test(plain)) {
      for (const base of bases) {
        const host = hostFrom(plain, base)
        if (host !== undefined) hosts.add(host)
      }
    }
    const next = decodeEntities(reading)
    if (next === reading) break
    reading = next
  }
  return [...hosts]
}

/** Those of one address, or of several with commas or blanks between: which of both it is depends on who reads it. */
export function hostsOfSet(addresses: string): string[] {
  const some = addresses.split(/[\s,]+/, maxSet)
  return [...new Set([addresses, ...some].flatMap(hostsOf))]
}

/** As browsers begin: control characters and blanks around it are gone, tabs and line ends in it as well. */
function withoutGaps(address: string): string {
  return address.replaceAll(/[\t\n\r]/g, '').replace(/^[\p{Cc}\s]+/u, '')
}

function hostFrom(address: string, base: string): string | undefined {
  if (!URL.canParse(address, base)) return undefined
  const url = new URL(address, base)
  if (!/^(?:https?|ftp|wss?|file):$/.test(url.protocol)) return undefined
  return url.host === 'this-site.invalid' || url.host === '' ? undefined : url.host
}

/** Hosts that lead nowhere: documentation uses them for examples. */
export function isExampleHost(host: string): boolean {
  const name = host.replace(/:\d+$/, '')
  return (
    /(?:^|\.)(?:example(?:\.(?:com|org|net|edu))?|test|invalid|localhost|local|internal)$/.test(name) ||
    /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.)[\d.]+$/.test(name) ||
    /^\[::1?\]$/.test(name) ||
    !/^\[|\./.test(name)
  )
}
