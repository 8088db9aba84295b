import { parse as parseJson, visit as visitJson } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { isMap, isScalar, visit } from 'yaml'
import { isHostileYaml } from '../../../../lib/text/hostile-yaml.ts'
import { parseYaml, parseYamlDocument, valueOfYaml } from '../../../../lib/text/yaml.ts'

/** What some data says, with its tags that are no plain values; undefined for what readers do not agree on. */
export function readData(
  text: string,
  kind: 'yaml' | 'toml' | 'json',
): { value: unknown; tags: string[] } | undefined {
  if (kind === 'yaml') return readYaml(text)
  try {
    if (kind === 'toml') return { value: parseToml(text), tags: [] }
  } catch {
    return undefined
  }
  const value = readJson(text)
  return value === undefined || hasTwins(text) ? undefined : { value, tags: [] }
}

/** JSON with comments and commas too many; undefined for what is nested too deep or no JSON at all. */
export function readJson(text: string): unknown {
  try {
    const value: unknown = parseJson(text, [], { allowTrailingComma: true })
    return value
  } catch {
    return undefined
  }
}

const maxSettings = 250_000

/** A file of settings but for what may change in it, to be compared; undefined for what cannot be read. */
export function settingsBut(
  path: string,
  text: string,
  leaveOut: (value: unknown) => unknown,
): string | undefined {
  if (text.length > maxSettings) return undefined
  try {
    if (path.endsWith('.toml')) return JSON.stringify(leaveOut(parseToml(text)))
    if (path.endsWith('.json')) return hasTwins(text) ? undefined : JSON.stringify(leaveOut(readJson(text)))
    return isHostileYaml(text) ? undefined : JSON.stringify(leaveOut(parseYaml(text, { unique: true })))
  } catch {
    return undefined
  }
}

/** Whether an object has two fields of one name: which of them counts depends on who reads it. */
function hasTwins(text: string): boolean {
  const open: Set<string>[] = []
  let found = false
  try {
    visitJson(text, {
      onObjectBegin: () => {
        open.push(new Set())
      },
      onObjectProperty: (name) => {
        found ||= open.at(-1)?.has(name) === true
        open.at(-1)?.add(name)
      },
      onObjectEnd: () => {
        open.pop()
      },
    })
  } catch {
    return true
  }
  return found
}

function readYaml(text: string): { value: unknown; tags: string[] } | undefined {
  if (isHostileYaml(text)) return undefined
  try {
    const document = parseYamlDocument(text, { merge: true })
    if (document.errors.length > 0) return undefined
    let twins = false
    const tags = new Set<string>()
    visit(document, (_, node) => {
      if (isMap(node)) {
        const names = node.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''))
        const plain = names.filter((name) => name !== '<<' && name !== '')
        twins ||= new Set(plain).size < plain.length
      }
      const tag = typeof node === 'object' && node !== null && 'tag' in node ? node.tag : undefined
      if (
        typeof tag === 'string' &&
        !/^(?:!|tag:yaml\.org,2002:(?:str|int|bool|float|null|seq|map|timestamp))$/.test(tag)
      )
        tags.add(tag)
    })
    return twins ? undefined : { value: valueOfYaml(document) ?? {}, tags: [...tags] }
  } catch {
    return undefined
  }
}

/** Finds the line of a field by its name: the first that begins with it. */
export function linesOf(source: string, from: number): (name: string) => number {
  const lines = new Map<string, number>()
  for (const [index, line] of source.split('\n').entries()) {
    const [start = ''] = line.slice(0, 300).split(/[:=]/, 1)
    const name = start
      .replace(/^[\s{-]+/, '')
      .trim()
      .replaceAll(/["']/g, '')
    if (name !== '' && !lines.has(name)) lines.set(name, from + index)
  }
  return (name) => lines.get(name) ?? from
}

interface FrontMatter {
  /** Behind it, for the reader that ends it first; 0 when only some take it for front matter. */
  end: number
  /** Readers do not agree where it ends. */
  sources: { source: string; kind: 'yaml' | 'toml' | 'json' }[]
  /** The line that begins it, when it names a language that some readers run. */
  language?: string
}

export const maxFrontMatter = 128 * 1024

/** Whatever some site generator takes for the front matter of a page: YAML, TOML or JSON. */
export function findFrontMatter(text: string): FrontMatter | undefined {
  if (/^\uFEFF?\{\s/.test(text)) {
    const end = text.slice(0, maxFrontMatter).search(/^\}/m)
    return end === -1
      ? undefined
      : { end: 0, sources: [{ source: text.slice(text.indexOf('{'), end + 1), kind: 'json' }] }
  }
  const [whole, before = '', marker = '---', language = ''] =
    /^\uFEFF?(\s{0,1000}?)(---|\+\+\+|;;;)([^\n]*)\n/.exec(text) ?? []
  if (whole === undefined || (before !== '' && !before.endsWith('\n'))) return undefined
  const close = text.indexOf(`\n${marker}`, whole.length - 1)
  if (close === -1) return undefined
  const [kindOfCode = ''] = /\w[^\s]*/.exec(language) ?? []
  if (kindOfCode !== '' && !/^(?:ya?ml|json|toml)$/i.test(language.trim()))
    return {
      end: whole.length,
      sources: [{ source: text.slice(whole.length, close + 1), kind: 'yaml' }],
      language: whole.trim(),
    }
  const kind =
    marker === '+++' || /toml/i.test(language)
      ? 'toml'
      : marker === ';;;' || /json/i.test(language)
        ? 'json'
        : 'yaml'
  const alone =
    marker === '+++'
      ? /\n\+{3}[ \t]*(?=\n|$)/g
      : marker === ';;;'
        ? /\n(?:;;;|\.\.\.)[ \t]*(?=\n|$)/g
        : /\n(?:---|\.\.\.)[ \t]*(?=\n|$)/g
  alone.lastIndex = whole.length - 1
  const ends = [...new Set([close + 1, (alone.exec(text)?.index ?? close) + 1])]
  return {
    // For who does not take it for front matter it is part of the page.
    end: before === '' ? Math.min(...ends) : 0,
    sources: ends.map((end) => ({ source: text.slice(whole.length, Math.max(whole.length, end)), kind })),
  }
}
