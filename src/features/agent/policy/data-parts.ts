import { parse } from 'yaml'
import { isHostileYaml } from '../../../lib/hostile-yaml.ts'
import { isRecord } from '../text/is-record.ts'
import type { ActivePart } from './active-part.ts'
import { firstLine, shown } from './active-part.ts'
import { hostsIn } from './address.ts'
import { readTags } from './read-tags.ts'
import { fetched, imagePart, tagParts } from './tag-parts.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

const maxParsed = 250_000
const maxDepth = 40
const maxTags = 20_000
const reference = /\$ref["']?[ \t]*:[ \t]*(?:"([^"\n]{1,2000})"|'([^'\n]{1,2000})'|([^\s"',}]{1,2000}))/g
/** Fields that a site sends its readers' requests to, or builds pages from. */
const addressed =
  /^(?:openapi|asyncapi|api|servers?|baseurl|proxyurl|tokenurl|authorizationurl|refreshurl|openidconnecturl)$/i

/** What the texts of a JSON or YAML file bring into pages: HTML, parts of other files, addresses that are fetched. Undefined for too much. */
export function dataParts(text: string, isFile: (path: string) => boolean): Part[] | undefined {
  // Escaped characters count as themselves.
  const plain = text
    .replaceAll(/\\(?:u00|x)(3c|3e|22|27|3a)/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll('\\"', '"')
    .replaceAll('\\/', '/')
  if ((plain.match(/</g)?.length ?? 0) > maxTags) return undefined
  const tags = readTags(plain, { braces: false })
  if (tags === undefined) return undefined
  const parts = tagParts(plain, tags, { mdx: false, vue: false })
  for (const match of plain.matchAll(reference)) {
    const target = (match[1] ?? match[2] ?? match[3] ?? '').replace(/#.*$/s, '')
    if (target === '' || isFile(target)) continue
    const what = `a reference to ${shown(target)}, which is no file of the repository`
    parts.push({ key: `include ${target}`, what, search: firstLine(target), at: match.index })
  }
  if (text.length > maxParsed || isHostileYaml(text)) return parts
  try {
    const data: unknown = parse(text, { logLevel: 'silent', maxAliasCount: 100, uniqueKeys: false })
    return [...parts, ...addressParts(data)]
  } catch {
    // What does not parse is no data of a site; the check says so.
    return parts
  }
}

/** Addresses of other hosts in the values of fields that are fetched. */
export function addressParts(data: unknown): Part[] {
  const parts: Part[] = []
  const visit = (value: unknown, name: string, depth: number): void => {
    if (depth > maxDepth) return
    if (typeof value === 'string') {
      if (fetched.test(name) || addressed.test(name))
        for (const host of hostsIn(` ${value.slice(0, 4000)}`).keys()) parts.push(imagePart(host, 0))
    } else if (Array.isArray(value)) for (const one of value) visit(one, name, depth + 1)
    else if (isRecord(value)) {
      // The list of servers has its addresses one level deeper.
      for (const [key, one] of Object.entries(value))
        visit(one, key === 'url' && /^servers?$/.test(name) ? name : key, depth + 1)
    }
  }
  visit(data, '', 0)
  return parts
}
