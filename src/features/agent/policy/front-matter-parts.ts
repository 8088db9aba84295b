import { parse } from 'yaml'
import { isHostileYaml } from '../../../lib/hostile-yaml.ts'
import { contentHash } from '../text/content-hash.ts'
import { isRecord } from '../text/is-record.ts'
import type { ActivePart } from './active-part.ts'
import { firstLine, shown } from './active-part.ts'
import { addressParts } from './data-parts.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

const opening = /^\uFEFF?(---|\+\+\+)([^\r\n]*)\r?\n/
const maxDepth = 20

/** What front matter can bring in: code, elements of the page's head, layouts, images of other hosts. */
export function frontMatterParts(text: string): { parts: Part[]; end: number } {
  const start = opening.exec(text)
  if (start === null) return { parts: [], end: 0 }
  const [whole, marker = '---', language = ''] = start
  const part = (what: string, search: string): Part => ({ key: `front matter ${what}`, what, search, at: 0 })
  // Some parsers run front matter of these kinds.
  if (/^\s*\w/.test(language) && !/^\s*(?:ya?ml|json|toml)\s*$/i.test(language))
    return { parts: [part(`front matter in ${shown(language)}`, firstLine(whole))], end: whole.length }
  const close = text.indexOf(`\n${marker}`, whole.length - 1)
  const end = close === -1 ? 0 : close + 1
  const source = text.slice(whole.length, Math.max(whole.length, end))
  if (end === 0 || marker === '+++') return { parts: [], end }
  const tags = [...source.matchAll(/(?:^|[\s:[,{-])(![^\s,\]}]{1,100})(?=[\s,\]}])/g)]
    .map(([, tag = '']) => tag)
    .filter(
      (tag) =>
        /^!(?:!(?!str|int|bool|float|null|seq|map|timestamp)|<|[a-z])/i.test(tag) &&
        !/^![\w\s]*[.!?]$/.test(tag),
    )
  const parts = [...new Set(tags)].map((tag) => part(`the YAML tag ${shown(tag)}`, tag))
  return { parts: [...parts, ...dataParts(source)], end }
}

function dataParts(source: string): Part[] {
  if (isHostileYaml(source) || source.length > 64 * 1024)
    return [
      {
        key: `front matter ${contentHash(Buffer.from(source))}`,
        what: 'front matter that is too odd to be read',
        search: '',
        at: 0,
      },
    ]
  let data: unknown
  try {
    data = parse(source, { logLevel: 'silent', maxAliasCount: 20, uniqueKeys: false })
  } catch {
    return []
  }
  const parts: Part[] = []
  const visit = (value: unknown, name: string, depth: number): void => {
    if (depth > maxDepth) return
    if (typeof value === 'string') {
      if (/^(?:layout|template)$/.test(name) && /[/\\.]/.test(value))
        parts.push({
          key: `${name} ${value}`,
          what: `the ${name} ${shown(value)}, which no page has`,
          search: value,
          at: 0,
        })
    } else if (Array.isArray(value)) for (const one of value) visit(one, name, depth + 1)
    else if (isRecord(value)) {
      for (const [key, one] of Object.entries(value)) {
        if (key === 'head' || key === 'scripts' || key === 'script') parts.push(...headParts(one))
        else visit(one, key, depth + 1)
      }
    }
  }
  visit(data, '', 0)
  return [...parts, ...addressParts(data)]
}

/** Elements that a page puts into its head, one by one; descriptions of it are only text. */
function headParts(head: unknown): Part[] {
  const elements = Array.isArray(head) ? head : [head]
  return elements.flatMap((element: unknown) => {
    const source = JSON.stringify(element) ?? ''
    const isText =
      /^(?:\["(?:title|meta)",|\{"tag":"(?:title|meta)")/.test(source) && !/http-equiv|refresh/i.test(source)
    if (isText || source === 'null') return []
    return [
      {
        key: `head ${source}`,
        what: `an element of the page's head: ${shown(source)}`,
        search: 'head:',
        at: 0,
      },
    ]
  })
}
