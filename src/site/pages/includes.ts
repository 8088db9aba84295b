import type { ReadFile } from '../files.ts'
import type { Site } from '../frameworks/site.ts'
import { folderOf, relativePath, resolvePath } from '../text/paths.ts'
import { applyEdits } from '../text/text-file.ts'
import { extractLinks } from './extract-links.ts'
import { readFrontMatter } from './front-matter.ts'
import { type Fence, closesFence, readFence, readLine } from './line.ts'
import { importsOf, isImportOfMarkdown, replaceTags } from './mdx-includes.ts'
import type { PageLine } from './page.ts'
import { snippetFolders } from './snippet-folders.ts'

/** A page with the texts of other files that its site puts into it. */
export interface WholePage {
  lines: readonly PageLine[]
  /** The files that are named, missing ones too, without duplicates. */
  included: readonly string[]
}

/** How a part of a file is named. Lines count from 1. */
interface Part {
  from?: number
  to?: number
  /** The lines between two comments that hold the name of a section, such as `--8<-- [start:name]`. */
  section?: string
  after?: string
  before?: string
}

/**
 * An include that takes lines `[start, end)` of a text. The first of the paths that exists is meant; without paths the
 * lines only mark something and are left out.
 */
interface Include {
  start: number
  end: number
  paths: readonly string[]
  part: Part
  /** Before each line that is put in. */
  indent: string
}

const maxDepth = 8
const maxIncludes = 500
const maxCharacters = 1_000_000

/**
 * Puts the texts of included files into a page, as its site does: imported Markdown files of MDX, Mintlify's snippets,
 * `--8<--` of MkDocs, `{include}` of MyST, `@include` of VitePress, `#include` of mdBook, `{% include %}` of Jekyll and
 * GitBook. What cannot be read stays as it is written.
 */
export async function readWholePage(
  site: Site,
  path: string,
  source: string,
  read: ReadFile,
): Promise<WholePage> {
  const included = new Set<string>()
  let [count, length] = [0, 0]
  const folders = source.includes('8<-') ? ((await snippetFolders(site, read)) ?? []) : []

  const fileText = async (paths: readonly string[]): Promise<{ path: string; text: string } | undefined> => {
    for (const one of paths) {
      const text = included.size < maxIncludes ? await read(one) : undefined
      included.add(one)
      if (text !== undefined) return { path: one, text }
    }
    return undefined
  }
  const expand = async (lines: readonly PageLine[], within: readonly string[]): Promise<PageLine[]> => {
    const from = within.at(-1) ?? path
    const found: PageLine[] = []
    let at = 0
    for (const include of findIncludes(site, from, lines, folders)) {
      found.push(...lines.slice(at, include.start))
      at = include.paths.length === 0 ? include.end : include.start
      if (include.paths.length === 0) continue
      const file =
        count++ < maxIncludes && within.length < maxDepth && length < maxCharacters
          ? await fileText(include.paths)
          : undefined
      if (file === undefined || within.includes(file.path)) continue
      length += file.text.length
      const own = partOf(linesOf(file.path, file.text), include.part)
      const whole = await expand(own, [...within, file.path])
      found.push(
        ...whole.map((line) => ({ ...line, text: line.text === '' ? '' : include.indent + line.text })),
      )
      at = include.end
    }
    const all = [...found, ...lines.slice(at)]
    return withImports(all, within)
  }
  const withImports = async (lines: readonly PageLine[], within: readonly string[]): Promise<PageLine[]> => {
    const from = within.at(-1) ?? path
    const texts = new Map<string, PageLine[]>()
    for (const [name, specifier] of importsOf(lines)) {
      const target = importedPath(site, from, specifier)
      if (target === undefined || within.includes(target) || within.length >= maxDepth) continue
      const file = length < maxCharacters ? await fileText([target]) : undefined
      if (file === undefined) continue
      length += file.text.length
      const whole = await expand(linesOf(target, rebased(file.text, target, path)), [...within, target])
      texts.set(name, whole)
    }
    const put = replaceTags(lines, texts, maxCharacters)
    // The page that this text is put into resolves names relative to itself.
    return within.length === 1 ? put : put.filter(({ text }) => !isImportOfMarkdown(text))
  }
  const lines = numbered(path, source)
  return { lines: mayInclude(source) ? await expand(lines, [path]) : lines, included: [...included] }
}

export function textOfPage({ lines }: WholePage): string {
  return lines.map(({ text }) => text).join('\n')
}

function numbered(path: string, source: string): PageLine[] {
  return source.split('\n').map((text, index) => ({ text, path, line: index + 1 }))
}

/** The lines of an included file without its front matter and the empty lines at its ends. */
function linesOf(path: string, source: string): PageLine[] {
  const { bodyStart } = readFrontMatter(source)
  const skipped = source.slice(0, bodyStart).split('\n').length - 1
  const lines = numbered(path, source.slice(bodyStart)).map((one) => ({ ...one, line: one.line + skipped }))
  while (lines.at(-1)?.text.trim() === '') lines.pop()
  const first = lines.findIndex(({ text }) => text.trim() !== '')
  return first === -1 ? [] : lines.slice(first)
}

/** Whether a page may include something. Most pages do not, and need not be read twice. */
export function mayInclude(source: string): boolean {
  return signs.some((sign) => source.includes(sign)) || /^import\s[^\n]{1,600}\.mdx?['"]/m.test(source)
}

const signs = ['8<-', '{include}', '@include', '#include', '{% include', '<Snippet']

/** The includes of a page, other than imports of MDX, in its order. */
function findIncludes(
  site: Site,
  from: string,
  lines: readonly PageLine[],
  folders: readonly string[],
): Include[] {
  const form = forms[site.framework]
  if (form === undefined) return []
  const found: Include[] = []
  let fence: Fence | undefined
  let openedAt = 0
  for (const [index, { text }] of lines.entries()) {
    if (text.length > maxLine) continue
    const { text: own } = readLine(text)
    if (fence !== undefined && closesFence(own, fence)) {
      const include = form.fence?.(fence, lines.slice(openedAt + 1, index), { site, from })
      if (include)
        found.push({
          ...include,
          start: openedAt,
          end: index + 1,
          indent: indentOf(lines[openedAt]?.text ?? ''),
        })
      fence = undefined
      continue
    }
    const opened = fence === undefined ? readFence(own) : undefined
    if (opened !== undefined) {
      fence = opened
      openedAt = index
      continue
    }
    if (fence !== undefined && form.inCode !== true) continue
    const include = form.line?.(text, { site, from, folders })
    if (include) found.push({ ...include, start: index, end: index + 1, indent: indentOf(text) })
  }
  return form.blocks === undefined
    ? found
    : [...found, ...form.blocks(lines, { site, from, folders })].sort((one, other) => one.start - other.start)
}

const maxLine = 2000

interface Place {
  site: Site
  from: string
  folders?: readonly string[]
}

type Target = Pick<Include, 'paths' | 'part'>

/** How the files of a framework name the files that they include. */
interface Form {
  /** An include that takes a whole line. */
  line?: (text: string, place: Place) => Target | undefined
  /** Whether lines in code blocks are read too. */
  inCode?: boolean
  fence?: (fence: Fence, body: readonly PageLine[], place: Place) => Target | undefined
  blocks?: (lines: readonly PageLine[], place: Place) => Include[]
}

const snippet = /^[ \t]*-{1,10}8<-{1,10}[ \t]+(?:"([^"\n]{1,500})"|'([^'\n]{1,500})')[ \t]*$/
const snippetBlock = /^[ \t]*-{1,10}8<-{1,10}[ \t]*$/

function snippetTarget(name: string, { folders = [] }: Place): Target | undefined {
  if (name === '' || name.length > 500 || /^(?:;|[a-z]+:\/\/)/i.test(name)) return undefined
  const [file = '', first = '', last = ''] = name.split(':')
  const part: Part = /^\d*$/.test(first)
    ? { ...(first === '' ? {} : { from: Number(first) }), ...(last === '' ? {} : { to: Number(last) }) }
    : { section: first }
  const paths = folders.flatMap((folder) => resolvePath(folder, file) ?? [])
  return paths.length === 0 ? undefined : { paths, part }
}

/** `--8<-- "file"` and blocks of such lines, in code too: MkDocs fills them in before anything else is read. */
const snippets: Form = {
  inCode: true,
  line(text, place) {
    const match = snippet.exec(text)
    return match === null ? undefined : snippetTarget(match[1] ?? match[2] ?? '', place)
  },
  blocks(lines, place) {
    const found: Include[] = []
    let open = false
    for (const [index, { text }] of lines.entries()) {
      if (snippetBlock.test(text)) {
        open = !open
        found.push({ start: index, end: index + 1, paths: [], part: {}, indent: '' })
      } else if (open) {
        const target = snippetTarget(text.trim(), place)
        if (target) found.push({ ...target, start: index, end: index + 1, indent: indentOf(text) })
      }
    }
    return found
  },
}

const forms: Readonly<Record<string, Form>> = {
  mkdocs: snippets,
  mintlify: {
    line(text, { site }) {
      const [, , name = ''] = /^\s*<Snippet\s{1,20}file=(["'])([^"'\n]{1,500})\1\s{0,20}\/?>/.exec(text) ?? []
      if (name === '') return undefined
      const bare = name.replace(/^\//, '')
      const endings = /\.mdx?$/.test(bare) ? [bare] : [`${bare}.mdx`, `${bare}.md`]
      const paths = ['snippets/', '_snippets/', ''].flatMap((folder) =>
        endings.flatMap((file) => resolvePath(`${site.root}${folder}`, file) ?? []),
      )
      return { paths, part: {} }
    },
  },
  vitepress: {
    line(text, { site, from }) {
      const [, name = '', section, range = ''] =
        /^\s*<!--\s{0,20}@include:\s{0,20}([^\s{}#<>]{1,500})(?:#([\w-]{1,100}))?\s{0,20}(?:\{(\d{0,9},?\d{0,9})\})?\s{0,20}-->\s*$/.exec(
          text,
        ) ?? []
      if (name === '') return undefined
      const path = name.startsWith('@')
        ? resolvePath(site.root, name.slice(1).replace(/^\//, ''))
        : resolvePath(folderOf(from), name)
      return path === undefined
        ? undefined
        : { paths: [path], part: { ...rangeOf(range, ','), ...(section !== undefined && { section }) } }
    },
  },
  mdbook: {
    inCode: true,
    line(text, { from }) {
      const [, name = '', rest = ''] =
        /^\s*\{\{\s{0,20}#(?:rustdoc_)?include\s{1,20}([^\s:{}]{1,500})(?::([^{}\n]{1,200}))?\}\}\s*$/.exec(
          text,
        ) ?? []
      const path = name === '' ? undefined : resolvePath(folderOf(from), name)
      if (path === undefined) return undefined
      const range = rest.trim()
      return { paths: [path], part: /^[\d:]*$/.test(range) ? rangeOf(range, ':') : { section: range } }
    },
  },
  jekyll: { line: liquidInclude },
  gitbook: { line: liquidInclude },
  sphinx: {
    fence({ info }, body, { from }) {
      const [, name = ''] = /^\{include\}\s{1,20}(\S{1,500})$/.exec(info) ?? []
      const path = name === '' || name.startsWith('<') ? undefined : resolvePath(folderOf(from), name)
      if (path === undefined) return undefined
      const options = new Map(
        body.flatMap(({ text }) => {
          const [, key, value = ''] = /^\s*:([a-z-]{1,40}):[ \t]{0,20}(.{0,500})$/.exec(text) ?? []
          return key === undefined ? [] : [[key, value.trim()] as const]
        }),
      )
      // Such files are shown as code.
      if (options.has('literal') || options.has('code') || options.has('parser')) return undefined
      const [start, end] = [Number(options.get('start-line') ?? 0), options.get('end-line')]
      const [after, before] = [options.get('start-after'), options.get('end-before')]
      return {
        paths: [path],
        part: {
          // These count from 0, and the end is not part of it.
          ...(start > 0 && { from: start + 1 }),
          ...(end !== undefined && Number(end) > 0 && { to: Number(end) }),
          ...(after !== undefined && { after }),
          ...(before !== undefined && { before }),
        },
      }
    },
  },
}

function liquidInclude(text: string, { site, from }: Place): Target | undefined {
  const [, relative, name = ''] =
    /^\s*\{%-?\s{0,20}include(_relative)?\s{1,20}["']?([^\s"'%{}]{1,500}\.(?:md|markdown))["']?(?:\s[^%{}\n]{0,500})?%\}\s*$/.exec(
      text,
    ) ?? []
  if (name === '') return undefined
  const framework: string = site.framework
  const folders =
    relative !== undefined || framework === 'gitbook'
      ? [folderOf(from), site.root]
      : [`${site.root}_includes/`, '_includes/']
  return { paths: [...new Set(folders.flatMap((folder) => resolvePath(folder, name) ?? []))], part: {} }
}

function rangeOf(text: string, separator: string): Part {
  if (text === '') return {}
  const [from = '', to] = text.split(separator)
  const first = from === '' ? {} : { from: Number(from) }
  if (to === undefined) return from === '' ? {} : { ...first, to: Number(from) }
  return to === '' ? first : { ...first, to: Number(to) }
}

function partOf(lines: readonly PageLine[], { from, to, section, after, before }: Part): PageLine[] {
  let part = lines.filter(
    ({ line }) => (from === undefined || line >= from) && (to === undefined || line <= to),
  )
  if (section !== undefined) {
    const marks = part.flatMap(({ text }, index) => (marksSection(text, section) ? [index] : []))
    part = marks[0] === undefined ? [] : part.slice(marks[0] + 1, marks[1])
  } else
    part = part.filter(
      ({ text }) => !/\[(?:start|end):[\w-]{1,100}\]|\bANCHOR(?:_END)?:/.test(text.slice(0, maxLine)),
    )
  if (after !== undefined) {
    const at = part.findIndex(({ text }) => text.includes(after))
    part = at === -1 ? [] : part.slice(at + 1)
  }
  if (before !== undefined) {
    const at = part.findIndex(({ text }) => text.includes(before))
    if (at !== -1) part = part.slice(0, at)
  }
  return part
}

/** Whether a line begins or ends a section: `--8<-- [start:name]`, `#region name`, `ANCHOR: name`. */
function marksSection(text: string, name: string): boolean {
  if (!text.includes(name)) return false
  const words = text.slice(0, maxLine).split(/[^\w-]+/)
  return (
    words.includes(name) &&
    words.some((word) => ['start', 'end', 'region', 'endregion', 'ANCHOR', 'ANCHOR_END'].includes(word))
  )
}

function indentOf(text: string): string {
  return /^[ \t]*/.exec(text)?.[0] ?? ''
}

/** The path of a Markdown file that a page imports. */
function importedPath(site: Site, from: string, specifier: string): string | undefined {
  if (/^\.\.?\//.test(specifier)) return resolvePath(folderOf(from), specifier)
  if (specifier.startsWith('@site/'))
    return resolvePath(folderOf(site.configPaths[0] ?? ''), specifier.slice('@site/'.length))
  return site.framework === 'mintlify' && specifier.startsWith('/')
    ? resolvePath(site.root, specifier.slice(1))
    : undefined
}

/** A text whose links to files are relative to the page that it is put into. */
function rebased(text: string, from: string, to: string): string {
  if (folderOf(from) === folderOf(to)) return text
  const edits = extractLinks(text).flatMap(({ href, start, end }) => {
    const [, file = '', rest = ''] = /^(?![a-z][a-z\d+.-]*:|[/#?])([^?#]*)(.*)$/is.exec(href) ?? []
    const target = /\.\w{1,10}$/.test(file) ? resolvePath(folderOf(from), file) : undefined
    return target === undefined ? [] : [{ start, end, text: `${relativePath(folderOf(to), target)}${rest}` }]
  })
  return applyEdits(text, edits)
}
