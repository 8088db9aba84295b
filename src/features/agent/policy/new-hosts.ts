import { decodeText } from '../../../site/text/encoding.ts'
import { hostsOf, isExampleHost } from './address.ts'
import { decodeEntities } from './decode-entities.ts'
import type { FileDifference } from './file-difference.ts'
import { linkAddresses } from './link-parts.ts'
import { readEscapes } from './read-escapes.ts'
import { readTags } from './read-tags.ts'
import type { BaseSite } from './base-site.ts'

/** Looked for in the base; what comes after them is told without. */
const maxSearches = 300
const maxRead = 12
const maxText = 2_000_000
const maxAddresses = 20_000
const tooMany = 'more.than.can.be.read'

/** Hosts that a diff names in any way and the base nowhere, in their ASCII form. */
export async function newHosts(
  changes: readonly FileDifference[],
  site: Pick<BaseSite, 'filesWith' | 'read' | 'begin'>,
): Promise<string[]> {
  const hostsOfFile = (path: string, content: Uint8Array | undefined): Iterable<string> => {
    if (content === undefined) return []
    return site.begin?.(path, content) === false ? [tooMany] : hostsIn(textOf(content))
  }
  const before = new Set(changes.flatMap(({ path, before }) => [...hostsOfFile(path, before)]))
  const added = new Set(changes.flatMap(({ path, after }) => [...hostsOfFile(path, after)]))
  const found: string[] = []
  let searches = 0
  for (const host of [...added].sort()) {
    if (before.has(host) || isExampleHost(host)) continue
    if (searches++ >= maxSearches || !(await isKnown(host, site))) found.push(host)
  }
  return found
}

// The name may be a piece of another.
async function isKnown(host: string, site: Pick<BaseSite, 'filesWith' | 'read' | 'begin'>): Promise<boolean> {
  for (const path of (await site.filesWith(host)).slice(0, maxRead)) {
    const content = await site.read(path)
    if (content === undefined || site.begin?.(path, content) === false) continue
    if (hostsIn(textOf(content)).has(host)) return true
  }
  return false
}

/** Hosts of everything in a text that reads like an address to anyone: as it is written, by references and by escapes. */
function hostsIn(given: string): Set<string> {
  const hosts = new Set<string>()
  const text = given.slice(0, maxText)
  const taken = new Set<string>()
  const take = (address: string): void => {
    if (taken.size > maxAddresses || taken.has(address)) return
    taken.add(address)
    for (const host of hostsOf(address)) hosts.add(host)
  }
  for (const one of new Set([text, decodeEntities(text), readEscapes(text), withoutBackslashes(text)])) {
    for (const [address] of one.matchAll(
      /(?:\b(?:https?|ftp|wss?):|(?<=[("'=\s<[]))[\\/]{2}[^\s<>"'`)\]}|]{1,2000}/gi,
    ))
      take(address)
    // What a browser takes for a user's name, whatever is in it, and addresses in others.
    for (const [address] of one.matchAll(/https?:[\\/]{2}[^\s<>]{1,4000}@[^\s<>"'`)\]}|]{1,2000}/gi))
      take(address)
    for (const [address] of one.matchAll(/(?<=[=&?/:#])https?:[\\/]{2}[^\s<>"'`)\]}|]{1,2000}/gi))
      take(address)
    for (const [address] of one.matchAll(/(?<![\w./@-])www\.[\p{L}\p{N}-]{1,63}\.[\p{L}\p{N}.-]{1,200}/giu))
      take(`https://${address.replace(/(?<!\.)\.+$/, '')}`)
    for (const [, host = ''] of one.matchAll(/\bmailto:[^\s<>"'@()]{1,200}@([\p{L}\p{N}.-]{1,250})/giu))
      take(`https://${host.replace(/(?<!\.)\.+$/, '')}`)
  }
  for (const { attributes } of readTags(text, { braces: false }) ?? [])
    for (const { value } of attributes) if (value !== undefined) take(value)
  for (const address of linkAddresses(text)) take(address)
  if (taken.size > maxAddresses) hosts.add(tooMany)
  return hosts
}

function withoutBackslashes(text: string): string {
  return text.replaceAll(/\\([!-.:-@[-`{-~])/g, '$1')
}

function textOf(content: Uint8Array | undefined): string {
  return content === undefined ? '' : (decodeText(content)?.text ?? '')
}
