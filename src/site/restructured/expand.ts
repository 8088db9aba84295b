import type { ReadFile } from '../files.ts'
import type { PageLine } from '../pages/page.ts'
import { folderOf, joinPath } from '../text/paths.ts'
import { type Block, type Directive, sourceLines } from './blocks.ts'
import { isShownAsWritten, joined } from './document.ts'
import { kindOf } from './directive-kinds.ts'
import { readBlocks, startReading } from './read-blocks.ts'

export interface Expanded {
  lines: PageLine[]
  /** The files that are named, missing ones too. */
  included: Set<string>
}

const maxDepth = 8
const maxIncludes = 500
const maxCharacters = 1_000_000

/** Puts the files that a page includes into it: as they are, or as code. What cannot be read stays as it is written. */
export async function expandIncludes(
  page: { path: string; root: string },
  lines: PageLine[],
  read: ReadFile,
): Promise<Expanded> {
  const included = new Set<string>()
  let [count, length] = [0, 0]
  const expand = async (some: PageLine[], within: readonly string[]): Promise<PageLine[]> => {
    if (!some.some(({ text }) => text.includes('include::'))) return some
    const blocks = readBlocks(sourceLines(some.map(({ text }) => text)), startReading())
    const out: PageLine[] = []
    let at = 0
    for (const directive of includesIn(blocks)) {
      const from = directive.start.index
      if (from < at) continue
      const name = joined(directive.argument).trim()
      const own = within.at(-1) ?? page.path
      const path = includedPath(page.root, own, name)
      if (path === undefined || count++ >= maxIncludes || length > maxCharacters) continue
      included.add(path)
      const isCode =
        directive.name === 'literalinclude' ||
        directive.options.has('literal') ||
        directive.options.has('code')
      const text =
        within.length > maxDepth || (!isCode && within.includes(path)) ? undefined : await read(path)
      if (text === undefined) continue
      const body = partOf(text.replaceAll(/\r\n?/g, '\n').split('\n'), directive).map(
        ([one, line]): PageLine => ({ text: one, path, line }),
      )
      length += body.reduce((sum, one) => sum + one.text.length, 0)
      const first = some[from]
      if (first === undefined) continue
      out.push(...some.slice(at, from))
      const indent = /^ */.exec(first.text)?.[0] ?? ''
      const inner = isCode ? asCode(directive, body, first) : await expand(body, [...within, path])
      for (const line of inner) out.push({ ...line, text: line.text === '' ? '' : indent + line.text })
      out.push({ ...first, text: '' })
      at = directive.end
    }
    for (const line of some.slice(at)) out.push(line)
    return out
  }
  return { lines: await expand(lines, [page.path]), included }
}

/** The file that a directive names; undefined for what is no path of the repository. */
export function includedPath(root: string, from: string, name: string): string | undefined {
  if (name === '' || name.startsWith('<') || /^[a-z]+:/i.test(name)) return undefined
  return joinPath(name.startsWith('/') ? root : folderOf(from), name.replace(/^\/+/, ''))
}

/** The directives of a page that include files, also within others. */
export function includesIn(blocks: readonly Block[]): Directive[] {
  return blocks.flatMap((block): Directive[] => {
    if (block.kind === 'directive') {
      const shows = kindOf(block.name)?.shows
      if (shows === 'include') return [block]
      return isShownAsWritten(shows) ? [] : includesIn(readBlocks(block.content, startReading()))
    }
    if (block.kind === 'quote' || block.kind === 'footnote' || block.kind === 'citation')
      return includesIn(block.body)
    return 'items' in block ? block.items.flatMap(({ body }) => includesIn(body)) : []
  })
}

function asCode({ options, argument }: Directive, body: PageLine[], first: PageLine): PageLine[] {
  const named = options.get('language')?.value ?? options.get('code')?.value ?? ''
  const language = named === '' ? (languages.get(/\.(\w+)$/.exec(joined(argument))?.[1] ?? '') ?? '') : named
  const kept = ['caption', 'name'].flatMap((name) => {
    const value = options.get(name)?.value
    return value === undefined ? [] : [{ ...first, text: `   :${name}: ${value}` }]
  })
  const width = Math.min(
    ...body.filter(({ text }) => text.trim() !== '').map(({ text }) => /^ */.exec(text)?.[0].length ?? 0),
    500,
  )
  const cut = options.has('dedent') && width < 500 ? width : 0
  return [
    { ...first, text: `.. code-block:: ${language}` },
    ...kept,
    { ...first, text: '' },
    ...body.map((line) => ({ ...line, text: line.text === '' ? '' : `   ${line.text.slice(cut)}` })),
  ]
}

const languages = new Map(
  Object.entries({
    py: 'python',
    js: 'javascript',
    ts: 'typescript',
    rb: 'ruby',
    sh: 'bash',
    yml: 'yaml',
    rs: 'rust',
    htm: 'html',
    md: 'markdown',
    cfg: 'ini',
    pyi: 'python',
  }),
)
for (const same of [
  'yaml',
  'json',
  'toml',
  'html',
  'css',
  'ini',
  'xml',
  'sql',
  'c',
  'cpp',
  'go',
  'java',
  'rst',
  'txt',
  'diff',
  'bash',
])
  languages.set(same, same)

/** The lines of a file that a directive asks for, with their numbers. */
function partOf(texts: readonly string[], { name, options }: Directive): [text: string, line: number][] {
  let lines = texts.map((text, at): [string, number] => [text, at + 1])
  if (lines.at(-1)?.[0] === '') lines.pop()
  const option = (key: string) => options.get(key)?.value
  const first = Number(option('start-line') ?? 0)
  const end = option('end-line')
  if (first > 0 || end !== undefined) lines = lines.slice(first, end === undefined ? undefined : Number(end))
  const object = option('pyobject')
  if (object !== undefined) lines = pythonObject(lines, object)
  const wanted = option('lines')
  if (wanted !== undefined) {
    const ranges = wanted.split(',').map((range) =>
      range
        .trim()
        .split('-')
        .map((number) => (number === '' ? undefined : Number(number))),
    )
    lines = lines.filter((_, at) =>
      ranges.some(
        (range) =>
          at + 1 >= (range[0] ?? 1) &&
          at + 1 <= (range.length === 1 ? (range[0] ?? 0) : (range[1] ?? Infinity)),
      ),
    )
  }
  const from = option('start-after') ?? option('start-at')
  const to = option('end-before') ?? option('end-at')
  if (name === 'include') return between(lines, from, to)
  if (from !== undefined) {
    const at = lines.findIndex(([text]) => text.includes(from))
    if (at === -1) return []
    lines = lines.slice(options.has('start-at') ? at : at + 1)
  }
  if (to !== undefined) {
    const at = lines.findIndex(
      ([text], index) => text.includes(to) && (index > 0 || options.has('end-at') || from === undefined),
    )
    if (at !== -1) lines = lines.slice(0, options.has('end-at') ? at + 1 : at)
  }
  return lines
}

/** `include` looks for texts anywhere, also within a line. */
function between(
  lines: [string, number][],
  from: string | undefined,
  to: string | undefined,
): [string, number][] {
  let some = lines
  if (from !== undefined) {
    const at = some.findIndex(([text]) => text.includes(from))
    const line = some[at]
    if (line === undefined) return []
    const rest = line[0].slice(line[0].indexOf(from) + from.length)
    some = [[rest, line[1]], ...some.slice(at + 1)]
  }
  if (to !== undefined) {
    const at = some.findIndex(([text]) => text.includes(to))
    const line = some[at]
    if (line !== undefined) some = [...some.slice(0, at), [line[0].slice(0, line[0].indexOf(to)), line[1]]]
  }
  return some
}

/** A function or a class of Python with what is indented below it. */
function pythonObject(lines: [string, number][], name: string): [string, number][] {
  let some = lines
  for (const own of name.split('.')) {
    const at = some.findIndex(
      ([text]) =>
        /^\s*(?:async\s+)?(?:def|class)\s/.test(text) &&
        text.includes(` ${own}`) &&
        !/\w/.test(text[text.indexOf(` ${own}`) + own.length + 1] ?? ' '),
    )
    if (at === -1) return []
    const width = /^\s*/.exec(some[at]?.[0] ?? '')?.[0].length ?? 0
    let end = at + 1
    while (
      end < some.length &&
      ((some[end]?.[0].trim() ?? '') === '' || (/^\s*/.exec(some[end]?.[0] ?? '')?.[0].length ?? 0) > width)
    )
      end++
    let start = at
    while (start > 0 && some[start - 1]?.[0].trim().startsWith('@') === true) start--
    while (end > start && (some[end - 1]?.[0].trim() ?? '') === '') end--
    some = some.slice(start, end)
  }
  return some
}
