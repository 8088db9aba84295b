import { contentHash } from '../../../site/text/content-hash.ts'
import { isRecord } from '../../../lib/is-record.ts'
import type { ActivePart } from './active-part.ts'
import { shown } from './active-part.ts'
import { dataValueParts } from './data-values.ts'
import { type FrontMatter, findFrontMatter } from './find-front-matter.ts'
import { readToml } from './read-toml.ts'
import { readJson } from './read-json.ts'
import { readYaml } from './read-yaml.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

const maxDepth = 20
const maxLength = 64 * 1024
/** Fields that choose what reads or renders a page. */
const choosing = /^(?:layout|template|templateEngineOverride|engine|renderer|processor|markup|format)$/

/**
 * What front matter can bring in: code, elements of the page's head, layouts, images of other hosts. `end` is where the
 * first reader has come to its end; `isMarkdown` when it says that the page is no MDX.
 */
export async function frontMatterParts(
  text: string,
): Promise<{ parts: Part[]; end: number; isMarkdown: boolean }> {
  const found = findFrontMatter(text)
  if (found === undefined) return { parts: [], end: 0, isMarkdown: false }
  const { end, sources, language, isSure } = found
  if (language !== undefined) {
    const what = `front matter in ${shown(language)}`
    return { parts: [{ key: `front matter ${what}`, what, search: language, at: 0 }], end, isMarkdown: false }
  }
  const parts: Part[] = []
  let isMarkdown = false
  for (const { source, kind } of sources) {
    parts.push(...tagsOf(source))
    const data = read(source, kind)
    if (data === undefined && !isSure) continue
    const values = data === undefined ? undefined : await dataValueParts(data)
    if (values === undefined) parts.push(unreadable(source))
    else parts.push(...values, ...fieldParts(data))
    if (
      isRecord(data) &&
      (data['format'] === 'md' || (isRecord(data['mdx']) && data['mdx']['format'] === 'md'))
    )
      isMarkdown = true
  }
  return { parts, end, isMarkdown }
}

function read(source: string, kind: FrontMatter['sources'][number]['kind']): unknown {
  if (source.length > maxLength) return undefined
  if (kind === 'toml') return readToml(source)
  if (kind === 'json') return readJson(source)
  const found = readYaml(source)
  return found && (found.value ?? {})
}

function tagsOf(source: string): Part[] {
  const tags = [...source.matchAll(/(?:^|[\s:[,{-])(![^\s,\]}]{1,100})(?=[\s,\]}])/g)]
    .map(([, tag = '']) => tag)
    .filter(
      (tag) =>
        /^!(?:!(?!str|int|bool|float|null|seq|map|timestamp)|<|[a-z])/i.test(tag) &&
        !/^![\w\s]*[.!?]$/.test(tag),
    )
  return [...new Set(tags)].map((tag) => {
    const what = `the YAML tag ${shown(tag)}`
    return { key: `front matter ${what}`, what, search: tag, at: 0 }
  })
}

function unreadable(source: string): Part {
  return {
    key: `front matter ${contentHash(Buffer.from(source))}`,
    what: 'front matter that cannot be read',
    search: '',
    at: 0,
  }
}

function fieldParts(data: unknown): Part[] {
  const parts: Part[] = []
  const visit = (value: unknown, name: string, depth: number): void => {
    if (depth > maxDepth) return
    if (typeof value === 'string') {
      if (choosing.test(name) && (/[/\\.]/.test(value) || !/^(?:layout|template)$/.test(name)))
        parts.push(fieldPart(name, value))
      if (/^(?:permalink|slug|url|path|aliases)$/.test(name) && /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(value))
        parts.push(fieldPart(name, value))
    } else if (Array.isArray(value)) for (const one of value) visit(one, name, depth + 1)
    else if (isRecord(value)) {
      for (const [key, one] of Object.entries(value)) {
        if (key === 'head' || key === 'scripts' || key === 'script') parts.push(...headParts(one))
        else visit(one, key, depth + 1)
      }
    }
  }
  visit(data, '', 0)
  return parts
}

function fieldPart(name: string, value: string): Part {
  return {
    key: `${name} ${value}`,
    what: `the ${name} ${shown(value)}, which no page has`,
    search: value,
    at: 0,
  }
}

/** Elements that a page puts into its head, one by one; descriptions of it are only text. */
function headParts(head: unknown): Part[] {
  const elements = Array.isArray(head) ? head : [head]
  return elements.flatMap((element: unknown) => {
    const source = JSON.stringify(element) ?? ''
    const isText =
      /^(?:\["(?:title|meta)",|\{"tag":"(?:title|meta)")/.test(source) && !/http-?equiv|refresh/i.test(source)
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
