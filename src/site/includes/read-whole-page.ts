import type { ReadFile } from '../files.ts'
import type { Site } from '../site.ts'
import { folderOf, relativePath, resolvePath } from '../text/paths.ts'
import { applyEdits } from '../text/text-file.ts'
import { extractLinks, type Link } from '../markdown/extract-links.ts'
import { readFrontMatter } from '../markdown/front-matter.ts'
import { includeForms } from '../frameworks/include-forms.ts'
import { indentOf, type Include, maxLine, type Part } from '../pages/include-form.ts'
import { createFences, type Fence } from '../markdown/fence.ts'
import { readLine } from '../markdown/line.ts'
import { importedPath } from './imported-path.ts'
import { importsOf, isImportOfMarkdown, replaceTags } from './mdx-includes.ts'
import { markupOf } from '../text/markup.ts'
import type { PageLine } from '../pages/page.ts'
import { wholeAsciidoc } from '../asciidoc/whole.ts'
import { wholeRestructured } from '../restructured/whole.ts'

/** A page with the texts of other files that its site puts into it. */
export interface WholePage {
  lines: readonly PageLine[]
  /** The files that are named, missing ones too, without duplicates. */
  included: readonly string[]
  /** Other pages whose titles it shows. */
  mentions?: readonly string[]
  /** Which links of included files count from these. All others count from the page. */
  own?: ReadonlyMap<string, IsOwn>
}

type IsOwn = NonNullable<Include['isOwn']>

const maxDepth = 8
const maxIncludes = 500
const maxCharacters = 1_000_000

/**
 * Puts the texts of included files into a page, as its site does: imported Markdown files of MDX, Mintlify's snippets,
 * `--8<--` of MkDocs, `{include}` of MyST, `@include` of VitePress, `#include` of mdBook, `{% include %}` of Jekyll and
 * GitBook, `include` and `readfile` of Hugo's themes. What cannot be read stays as it is written.
 */
export async function readWholePage(
  site: Site,
  path: string,
  source: string,
  read: ReadFile,
): Promise<WholePage> {
  const markup = markupOf(path)
  if (markup === 'asciidoc') return wholeAsciidoc(site, path, source, read)
  if (markup !== undefined) return wholeRestructured(site, path, source, read)
  const included = new Set<string>()
  const owns = new Map<string, IsOwn>()
  let [count, length] = [0, 0]
  const folders = (await includeForms[site.framework]?.folders?.(source, site, read)) ?? []

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
    const expanded: PageLine[] = []
    let at = 0
    for (const include of findIncludes(site, from, lines, folders)) {
      expanded.push(...lines.slice(at, include.start))
      at = include.paths.length === 0 ? include.end : include.start
      if (include.paths.length === 0) continue
      const file =
        count++ < maxIncludes && within.length < maxDepth && length < maxCharacters
          ? await fileText(include.paths)
          : undefined
      if (file === undefined || within.includes(file.path)) continue
      length += file.text.length
      const { isOwn } = include
      if (isOwn) owns.set(file.path, isOwn)
      const text = isOwn === undefined ? file.text : rebased(file.text, file.path, path, isOwn)
      const own = partOf(linesOf(file.path, text), include.part)
      const whole = include.shownAs === undefined ? await expand(own, [...within, file.path]) : own
      const put = (line: PageLine) => ({ ...line, text: line.text === '' ? '' : include.indent + line.text })
      const [mark] = lines.slice(include.start)
      const fence = mark === undefined || include.shownAs === undefined ? undefined : '`'.repeat(5)
      if (mark !== undefined && fence !== undefined)
        expanded.push(put({ ...mark, text: `${fence}${include.shownAs ?? ''}` }))
      expanded.push(...whole.map(put))
      if (mark !== undefined && fence !== undefined) expanded.push(put({ ...mark, text: fence }))
      at = include.end
    }
    const all = [...expanded, ...lines.slice(at)]
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
      owns.set(target, () => true)
      const own = rebased(file.text, target, path, () => true)
      const whole = await expand(linesOf(target, own), [...within, target])
      texts.set(name, whole)
    }
    const put = replaceTags(lines, texts, maxCharacters)
    // The page that this text is put into resolves names relative to itself.
    return within.length === 1 ? put : put.filter(({ text }) => !isImportOfMarkdown(text))
  }
  const lines = numbered(path, source)
  const whole = mayInclude(source) ? await expand(lines, [path]) : lines
  return { lines: whole, included: [...included], own: owns }
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
  return (
    signs.some((sign) => source.includes(sign)) ||
    /\{%-?\s{0,20}include/.test(source) ||
    (/^import\s/m.test(source) && /\.mdx?['"]/.test(source))
  )
}

const signs = '8<-|{include}|@include|<<< |{!|#include|#rustdoc_include|#playground|{{% |{{< |<Snippet'.split(
  '|',
)

/** The includes of a page, other than imports of MDX, in its order. */
function findIncludes(
  site: Site,
  from: string,
  lines: readonly PageLine[],
  folders: readonly string[],
): Include[] {
  const form = includeForms[site.framework]
  if (form === undefined) return []
  const uses: Include[] = []
  const fences = createFences()
  let fence: Fence | undefined
  let openedAt = 0
  for (const [index, { text }] of lines.entries()) {
    if (text.length > maxLine) continue
    const line = readLine(text)
    const part = fences.inside(line)
    if (part === 'end') {
      const include = fence && form.fence?.(fence, lines.slice(openedAt + 1, index), { site, from })
      if (include)
        uses.push({
          ...include,
          start: openedAt,
          end: index + 1,
          indent: indentOf(lines[openedAt]?.text ?? ''),
        })
      continue
    }
    if (part === undefined) {
      fence = fences.open(line)
      openedAt = index
      if (fence) continue
    } else if (form.inCode !== true) continue
    const include = form.line?.(text, { site, from, folders })
    if (include) uses.push({ ...include, start: index, end: index + 1, indent: indentOf(text) })
  }
  return form.blocks === undefined
    ? uses
    : [...uses, ...form.blocks(lines, { site, from, folders })].sort((one, other) => one.start - other.start)
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

/** A text whose links to files are relative to the page that it is put into. */
function rebased(text: string, from: string, to: string, isOwn: IsOwn): string {
  if (folderOf(from) === folderOf(to)) return text
  const edits = extractLinks(text).flatMap((link) => {
    const { file, rest } = countsFromFile(link, isOwn) ? splitFile(link.href) : { file: '', rest: '' }
    const target = file === '' ? undefined : resolvePath(folderOf(from), file)
    if (target === undefined) return []
    return [{ start: link.start, end: link.end, text: `${relativePath(folderOf(to), target)}${rest}` }]
  })
  return applyEdits(text, edits)
}

/** Whether a link of an included file counts from that file, and not from the page that it is put into. */
export function countsFromFile(
  { kind, href }: Pick<Link, 'kind' | 'href'>,
  isOwn: IsOwn | undefined,
): boolean {
  return isOwn?.({ kind: kind === 'image' ? kind : 'page', href }) === true && splitFile(href).file !== ''
}

/** The name of a file in a relative link, and what follows it. */
function splitFile(href: string): { file: string; rest: string } {
  const [, file = '', rest = ''] = /^(?![a-z][a-z\d+.-]*:|[/#?])([^?#]*)(.*)$/is.exec(href) ?? []
  return /\.\w{1,10}$/.test(file) ? { file, rest } : { file: '', rest: '' }
}
