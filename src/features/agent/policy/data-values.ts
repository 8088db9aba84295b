import { isRecord } from '../../../lib/is-record.ts'
import type { ActivePart } from './active-part.ts'
import { firstLine, shown } from './active-part.ts'
import { hostsOf } from './address.ts'
import { programParts } from './program-parts.ts'
import { imagePart, ownership } from './tag-parts.ts'
import { valueParts } from './value-parts.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

const maxDepth = 60
const maxValues = 100_000
const maxParts = 20_000
const maxWords = 1000
/** Fields that a site sends its readers' requests to, or builds pages from. */
const addressed =
  /^(?:openapi|asyncapi|api|servers?|baseurl|proxyurl|tokenurl|authorizationurl|refreshurl|openidconnecturl)$/i
/** Fields that say where readers are sent. */
const sending = /^redirect(?:s|_?to|_?url|_maps?)?$/i
/** Names that say nothing themselves: what is around them tells what they are for. */
const vague = /^(?:url|uri|href|src|source|value|default|enum|path|file|\d+)$/i
/** Texts that Mintlify compiles as MDX. */
const compiled = /^(?:x-mint|banner)$/i

/** What the values of front matter or of a data file bring into pages, whatever their writing; undefined for too many. */
export async function dataValueParts(data: unknown): Promise<Part[] | undefined> {
  const parts: Part[] = []
  let values = 0
  const open: { value: unknown; names: readonly string[] }[] = [{ value: data, names: [] }]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { value, names } = one
    if (++values > maxValues || names.length > maxDepth) return undefined
    if (parts.length > maxParts) return undefined
    if (typeof value === 'string') for (const part of await textParts(value, names)) parts.push(part)
    else if (Array.isArray(value)) for (const child of value) open.push({ value: child, names })
    else if (isRecord(value)) {
      if (/^servers?$/.test(names[0] ?? '')) parts.push(...serverParts(value))
      const hasHost = names.length === 0 ? 'swagger' in value : names.includes('servers')
      if (hasHost && typeof value['host'] === 'string')
        parts.push(...hostsOf(`https://${value['host']}`).map((host) => imagePart(host, 0)))
      for (const [key, child] of Object.entries(value)) {
        // Keys are shown as well.
        parts.push(...valueParts(key, 0, []), ...ownershipParts(key, child))
        open.push({ value: child, names: [key, ...names] })
      }
    }
  }
  return parts
}

/** Of a field, and of a `meta` element's name in front matter. */
function ownershipParts(name: string, value: unknown): Part[] {
  const sign = [name, name === 'name' && typeof value === 'string' ? value : ''].find((one) =>
    ownership.test(one),
  )
  if (sign === undefined) return []
  const key = `ownership ${sign} ${JSON.stringify(value)}`
  return [{ key, what: `a sign of who owns the site: ${shown(sign)}`, search: sign, at: 0 }]
}

async function textParts(value: string, names: readonly string[]): Promise<Part[]> {
  const near = names.slice(0, vague.test(names[0] ?? '') ? 3 : 1)
  const parts = [...valueParts(value, 0, near)]
  if (near.some((name) => addressed.test(name)))
    for (const word of value.split(/\s+/, maxWords))
      parts.push(...hostsOf(word).map((host) => imagePart(host, 0)))
  if (names.slice(0, 3).some((name) => sending.test(name))) parts.push(...hostsOf(value).map(redirectPart))
  if (value.includes('{') && names.some((name) => compiled.test(name)))
    parts.push(...(await programParts(value, { isFile: () => false })))
  return parts
}

/** A server's address may have variables in it. */
function serverParts(server: Record<string, unknown>): Part[] {
  const { url, variables } = server
  if (typeof url !== 'string' || !url.includes('{')) return []
  const choices = isRecord(variables) ? Object.values(variables).filter(isRecord) : []
  const texts = choices.flatMap((one): unknown[] => [
    one['default'],
    ...(Array.isArray(one['enum']) ? one['enum'] : []),
  ])
  const hosts = texts.flatMap((text) =>
    typeof text === 'string' && text.includes('.') ? [text, `https://${text}`].flatMap(hostsOf) : [],
  )
  hosts.push(...hostsOf(url.replaceAll(/\{[^{}]*\}/g, 'x')))
  return [...new Set(hosts)].map((host) => imagePart(host, 0))
}

function redirectPart(host: string): Part {
  return {
    key: `redirect ${host}`,
    what: `a redirect to the host ${shown(host)}, which no page redirects to`,
    search: firstLine(host),
    at: 0,
  }
}
