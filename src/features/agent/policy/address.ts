import { decodeEntities } from './decode-entities.ts'

const base = 'https://this-site.invalid'

/** A scheme that runs or embeds what follows it; undefined for every other address. Read as browsers read it. */
export function activeScheme(address: string): 'javascript' | 'vbscript' | 'data' | undefined {
  const plain = decodeEntities(address)
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

/** The host that an address leads to, in its ASCII form; undefined when it stays on the site. Read as browsers read it. */
export function hostOf(address: string): string | undefined {
  const plain = decodeEntities(address).trim()
  if (plain.length > 4000 || !/^[a-z][a-z0-9+.-]*:|^[\t\r\n]*[\\/][\t\r\n]*[\\/]/i.test(plain))
    return undefined
  if (!URL.canParse(plain, base)) return undefined
  const url = new URL(plain, base)
  if (!/^(?:https?|ftp|wss?):$/.test(url.protocol)) return undefined
  return url.host === 'this-site.invalid' || url.host === '' ? undefined : url.host
}

/** Hosts of everything in a text that reads like an address, with the lines they stand on first. */
export function hostsIn(text: string): Map<string, number> {
  const hosts = new Map<string, number>()
  let line = 1
  let counted = 0
  for (const match of text.matchAll(/(?:https?:|(?<=[("'=\s<[]))(?:\/|\\){2}[^\s<>"'`)\]}|]{1,2000}/gi)) {
    for (; counted < match.index; counted++) if (text.codePointAt(counted) === 10) line++
    const host = hostOf(match[0])
    if (host !== undefined && !hosts.has(host)) hosts.set(host, line)
  }
  return hosts
}

/** Hosts that lead nowhere: documentation uses them for examples. */
export function isExampleHost(host: string): boolean {
  const name = host.replace(/:\d+$/, '')
  return (
    /(?:^|\.)(?:example(?:\.(?:com|org|net|edu))?|test|invalid|localhost|local|internal)$/.test(name) ||
    /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0|\[::1?\])/.test(name) ||
    !/^\[|\./.test(name)
  )
}
