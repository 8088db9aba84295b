import type { ActivePart } from './active-part.ts'
import { firstLine, shown } from './active-part.ts'
import { hostsOf } from './address.ts'
import { dataValueParts } from './data-values.ts'
import { linkParts } from './link-parts.ts'
import { readTags } from './read-tags.ts'
import { imagePart, tagParts } from './tag-parts.ts'
import { readEscapes } from './read-escapes.ts'
import { hasTwins, readJson } from './read-json.ts'
import { readYaml } from './read-yaml.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

const maxParsed = 250_000
const maxTags = 20_000
const reference = /\$ref["']?[ \t]*:[ \t]*(?:"([^"\n]{1,2000})"|'([^'\n]{1,2000})'|([^\s"',}]{1,2000}))/g

/** What the texts of a JSON or YAML file bring into pages: HTML, parts of other files, addresses that are fetched. Undefined for too much. */
export async function dataParts(
  path: string,
  text: string,
  isFile: (path: string) => boolean,
): Promise<Part[] | undefined> {
  // Escaped characters count as themselves.
  const plain = unescaped(text)
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
  const data = read(path, text)
  if (data === undefined) return [...parts, ...linkParts(plain), ...unreadParts(plain)]
  const found = await dataValueParts(data.value)
  return found === undefined ? undefined : [...parts, ...found, ...data.tags.map(yamlTagPart)]
}

function read(path: string, text: string): { value: unknown; tags: string[] } | undefined {
  if (!/\.jsonc?$/i.test(path)) return text.length > maxParsed ? undefined : readYaml(text)
  const value: unknown = readJson(text)
  return value === undefined || hasTwins(text) ? undefined : { value, tags: [] }
}

/** What some readers run. */
function yamlTagPart(tag: string): Part {
  return { key: `tag ${tag}`, what: `the YAML tag ${shown(tag)}`, search: tag.replace(/^tag:.*:/, ''), at: 0 }
}

/** Of what is too large or too odd to be parsed: every address that is the value of a field, whichever. */
function unreadParts(text: string): Part[] {
  const addresses = text.matchAll(
    /[:\-[,][ \t]*["']?((?:[a-z][a-z0-9+.-]{0,20}:)?[\\/]{2}[^\s"',\]}]{1,2000})/gi,
  )
  return [...addresses].flatMap((match) =>
    hostsOf(match[1] ?? '').map((host) => ({ ...imagePart(host, match.index), key: `address ${host}` })),
  )
}

function unescaped(text: string): string {
  return readEscapes(text).replaceAll('\\"', '"').replaceAll('\\/', '/')
}
