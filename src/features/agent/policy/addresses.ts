import { parseEntities } from 'parse-entities'

const bases = ['https://this-site.invalid', 'http://this-site.invalid'] as const
// Far beyond it no address works, and every reading of it costs.
const maxAddress = 20_000
const maxSet = 1000

/** A scheme that runs or embeds what follows it; undefined for every other address. Read as browsers read it. */
export function activeScheme(address: string): 'javascript' | 'vbscript' | 'data' | undefined {
  const plain = readEntities(address.slice(0, maxAddress))
    .replaceAll(/[\p{Cc}\s\\\u00ad\u200b-\u200f\ufeff]/gu, '')
    .toLowerCase()
  if (plain.startsWith('javascript:')) return 'javascript'
  if (plain.startsWith('vbscript:') || plain.startsWith('livescript:')) return 'vbscript'
  return plain.startsWith('data:') ? 'data' : undefined
}

/** Schemes of the web and of mail, and those by which pages name pages, files and works. */
const knownScheme =
  /^(?:https?|mailto|tel|sms|ftps?|ircs?|news|xmpp|matrix|geo|urn|data|javascript|vbscript|livescript|blob|file|about|sips?|doi|isbn|site|path|pathname|project|inv|doc|ref|xref|cite|myst|wiki|github|rrid|ror|user|repo|page|asset|content|image)$/

/** The scheme of an address by which a program of the reader's machine would be opened; undefined for every other. */
export function launchedScheme(address: string): string | undefined {
  const plain = withoutGaps(readEntities(address.slice(0, maxAddress)))
  const scheme = /^([a-z][a-z\d+-]{1,30}):(?![:\d]|$)/i.exec(plain)?.[1]?.toLowerCase()
  return scheme === undefined || knownScheme.test(scheme) ? undefined : scheme
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
  const start = address.slice(0, maxAddress)
  const hosts = new Set<string>()
  let reading = start
  for (let times = 0; times < 3; times++) {
    const plain = withoutGaps(reading)
    if (/^[a-z][a-z0-9+.-]*:|^[\\/]{2}/i.test(plain)) {
      for (const base of bases) {
        const host = hostFrom(plain, base)
        if (host !== undefined) hosts.add(host)
      }
    }
    const next = readEntities(reading)
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
    /(?:^|\.)(?:example(?:\.(?:com|org|net|edu))?|test|invalid|localhost|local|internal|sslip\.io|nip\.io)$/.test(
      name,
    ) ||
    /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.)[\d.]+$/.test(name) ||
    /^\[::1?\]$/.test(name) ||
    !/^\[|\./.test(name)
  )
}

/** Character references as browsers read them. */
export function readEntities(text: string): string {
  return text.includes('&') ? parseEntities(text) : text
}

const escape = /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|u\{([0-9a-f]{1,6})\}|U([0-9a-f]{8}))/gi

/** The escapes by which JSON, YAML and JavaScript write plain characters; what is no character stays. */
export function readEscapes(text: string): string {
  if (!text.includes('\\')) return text
  return text.replaceAll(escape, (whole: string, ...found: (string | undefined)[]) => {
    const code = Number.parseInt(found.slice(0, 4).find((one) => one !== undefined) ?? '', 16)
    return code >= 0x20 && code < 0x7f ? String.fromCodePoint(code) : whole
  })
}

/** What comes after them is told without. */
const maxText = 2_000_000
const maxAddresses = 20_000
export const tooMany = 'more.than.can.be.read'

/** Hosts of everything in a text that reads like an address to anyone: as it is written, by references and by escapes. */
export function hostsIn(given: string): Set<string> {
  const hosts = new Set<string>()
  const text = given.slice(0, maxText)
  const taken = new Set<string>()
  const take = (address: string): void => {
    if (taken.size > maxAddresses || taken.has(address)) return
    taken.add(address)
    for (const host of hostsOf(address)) hosts.add(host)
  }
  for (const one of new Set([text, readEntities(text), readEscapes(text), withoutBackslashes(text)])) {
    for (const pattern of places)
      for (const [whole, ...groups] of one.matchAll(pattern))
        take(groups.find((group) => group !== undefined) ?? whole)
    for (const [address] of one.matchAll(/(?<![\w./@-])www\.[\p{L}\p{N}-]{1,63}\.[\p{L}\p{N}.-]{1,200}/giu))
      take(`https://${address.replace(/(?<!\.)\.+$/, '')}`)
    for (const [, host = ''] of one.matchAll(/\bmailto:[^\s<>"'@()]{1,200}@([\p{L}\p{N}.-]{1,250})/giu))
      take(`https://${host.replace(/(?<!\.)\.+$/, '')}`)
  }
  if (taken.size > maxAddresses) hosts.add(tooMany)
  return hosts
}

/** Hosts on which anybody has something. */
const shared =
  /^(?:(?:raw\.|gist\.|codeload\.|objects\.)?github(?:usercontent)?\.com|gist\.githubusercontent\.com|gitlab\.com|bitbucket\.org|codeberg\.org|ghcr\.io|docker\.io|quay\.io|s3\.amazonaws\.com|storage\.googleapis\.com|(?:cdn\.)?jsdelivr\.net|unpkg\.com|pastebin\.com|huggingface\.co|launchpad\.net)$/

/** The hosts of an address; on those that many share with who has it there. */
export function placesOf(address: string): string[] {
  return hostsOf(address).map((host) => {
    // Of a package, whatever its version.
    const owner = /^[^/]*\/\/[^/]+\/(?:(?:npm|gh)\/)?(@?[\w.~-]+)/.exec(address)?.[1]
    return shared.test(host) && owner !== undefined ? `${host}/${owner.toLowerCase()}` : host
  })
}

/** Everything of a text that names a place: hosts, and on those that many share who has it. */
export function placesIn(text: string): Set<string> {
  const places = hostsIn(text)
  for (const [address] of text.slice(0, maxText).matchAll(/https?:\/\/[\w.-]{3,60}\/[\w.@~-]{1,100}/g))
    for (const place of placesOf(address)) places.add(place)
  return places
}

/** Where addresses stand: the address is the first group that matched, or all of it. */
const places = [
  /(?:\b(?:https?|ftp|wss?):|(?<=[("'=\s<[]))[\\/]{2}[^\s<>"'`)\]}|]{1,2000}/gi,
  // What a browser takes for a user's name, whatever is in it, and addresses in others.
  /https?:[\\/]{2}[^\s<>]{1,4000}@[^\s<>"'`)\]}|]{1,2000}/gi,
  /(?<=[=&?/:#])https?:[\\/]{2}[^\s<>"'`)\]}|]{1,2000}/gi,
  // Values of attributes, and targets of links and definitions.
  /=[ \t]{0,20}(?:"([^"]{1,4000})"|'([^']{1,4000})'|([^\s"'>]{1,2000}))/g,
  /\]\(\s{0,100}(?:<([^<>\n]{1,4000})>|([^\s<>)]{1,4000}))/g,
  /\]:[ \t]{0,20}(?:\n[ \t>]{0,20})?<?([^\s<>]{1,2000})/g,
]

function withoutBackslashes(text: string): string {
  return text.replaceAll(/\\([!-.:-@[-`{-~])/g, '$1')
}
