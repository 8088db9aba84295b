import type { ReadFile } from '../files.ts'
import type { PageLine } from '../pages/page.ts'
import type { PageTargets, References } from '../restructured/references.ts'
import { folderOf, relativePath } from '../text/paths.ts'
import type { KeptReadings } from '../text/kept-readings.ts'
import { attributesFor } from './attributes.ts'
import { type ExpandedLine, expandLines } from './expand.ts'
import { createIds, type Ids } from './ids.ts'
import { printBlocks } from './print.ts'
import { isComment, type Line, type Reading } from './reading.ts'
import type { AsciidocSettings } from './settings.ts'

/** What a page needs to know of its site. */
export interface AsciidocSite {
  asciidoc?: AsciidocSettings | undefined
  references: References
  pageFor: (path: string) => { url: string } | undefined
  resolveLink: (
    from: string,
    href: string,
  ) => { kind: 'page' | 'asset'; path: string } | { kind: 'external' | 'broken' }
  /** Pages that were read for their names already. */
  readings?: { asciidoc: KeptReadings<AsciidocReading> } | undefined
}

/** The lines of a page with those of other files, and the places in it that references may name. */
export interface AsciidocReading {
  lines: ExpandedLine[]
  included: ReadonlySet<string>
  ids: Ids
}

const maxTargets = 5000

/** A page in AsciiDoc as Markdown, with the files that it includes; each line with the place that it is made of. */
export async function wholeAsciidoc(
  site: AsciidocSite,
  path: string,
  source: string,
  read: ReadFile,
): Promise<{ lines: PageLine[]; included: string[]; mentions: string[] }> {
  const settings = site.asciidoc
  if (settings === undefined) return { lines: [], included: [], mentions: [] }
  // References may name what comes later.
  const { lines, included, ids } =
    site.readings?.asciidoc.take(path, source) ?? (await readNames({ ...site, settings }, path, source, read))
  const mentions = new Set<string>()
  const { out, title } = readPage({ ...site, settings }, path, lines, ids, mentions)
  const origin = lines[0] ?? { text: '', path, line: 1, offset: 0 }
  const front = title === undefined || out.some(({ text }) => text.startsWith('# ')) ? [] : [`# ${title}`, '']
  return {
    lines: [
      ...front.map((text) => ({ text, path, line: origin.line })),
      ...out.map(({ text, index }) => {
        const { path: from, line } = lines[index] ?? origin
        return { text, path: from, line }
      }),
    ],
    included: [...included],
    mentions: [...mentions],
  }
}

/** What a page is called by others. */
export async function asciidocTargets(
  { asciidoc: settings, ...site }: AsciidocSite,
  path: string,
  source: string,
  read: ReadFile,
): Promise<PageTargets> {
  if (settings === undefined) return { title: undefined, labels: [], headings: [], terms: [], objects: [] }
  const { title, ...reading } = await readNames({ settings, ...site }, path, source, read)
  const { ids } = reading
  site.readings?.asciidoc.keep(path, source, reading)
  return {
    title,
    // A fragment of a page is known by the page's path.
    labels: [...ids.titles]
      .slice(0, maxTargets)
      .map(([id, text]): [string, string, string | null] => [
        `${path}#${id}`.toLowerCase(),
        id,
        text ?? null,
      ]),
    headings: [],
    terms: [],
    objects: [],
  }
}

async function readNames(
  site: Site,
  path: string,
  source: string,
  read: ReadFile,
): Promise<AsciidocReading & { title: string | undefined }> {
  const { lines, included } = await expandLines({ path, settings: site.settings }, source, read)
  const { ids, title } = readPage(site, path, lines, createIds(), new Set())
  return { lines, included, ids, title }
}

interface Site extends Omit<AsciidocSite, 'asciidoc'> {
  settings: AsciidocSettings
}

function readPage(
  { settings, references, pageFor, resolveLink }: Site,
  path: string,
  lines: readonly ExpandedLine[],
  known: Ids,
  mentions: Set<string>,
) {
  const attributes = attributesFor(settings, path)
  const ids = createIds()
  const footnotes: string[] = []
  const titles = new Map([...known.titles].map(([id, title]) => [title?.toLowerCase() ?? '', id]))
  const byId = (id: string) => known.titles.get(id)
  const reference: Reading['inline']['reference'] = (target) => {
    const hash = target.indexOf('#')
    const [name, fragment] =
      hash === -1 ? [target, undefined] : [target.slice(0, hash), target.slice(hash + 1)]
    const isFile = /\.adoc$/i.test(name) || name.includes('$') || (hash > 0 && fragment !== undefined)
    if (!isFile) {
      const id = fragment ?? name
      const own = known.titles.has(id) ? id : (titles.get(id.toLowerCase()) ?? id)
      return { href: `#${own}`, title: byId(own) ?? `[${id}]` }
    }
    const whole = /\.\w{1,5}$/.test(name) ? name : `${name}.adoc`
    const to = resolveLink(path, `xref:${whole}${fragment === undefined ? '' : `#${fragment}`}`)
    if (to.kind === 'asset') return { href: relativePath(folderOf(path), to.path), title: name }
    if (to.kind !== 'page') return { href: undefined, title: target }
    const file = to.path
    const url = pageFor(file)?.url ?? ''
    if (file !== path) mentions.add(file)
    const there = fragment === undefined || fragment === '' ? '' : `#${fragment}`
    const label = there === '' ? undefined : references.label(`${file}${there}`)?.title
    return { href: `${url}${there}`, title: label ?? references.titleOf(file) ?? target }
  }
  const image = (target: string): string => {
    if (/^(?:[a-z][a-z\d+.-]*:\/\/|data:)/i.test(target)) return target
    const folder = settings.isPlain ? (attributes.get('imagesdir') ?? '') : ''
    if (/^https?:/.test(folder)) return `${folder.replace(/\/$/, '')}/${target}`
    const file = settings.fileOf(path, folder === '' ? target : `${folder}/${target}`, 'image')
    return file === undefined ? target : relativePath(folderOf(path), file)
  }
  const reading: Reading = {
    attributes,
    ids,
    offsetOf: (index) => lines[index]?.offset ?? 0,
    title: { text: undefined },
    inline: {
      attributes,
      reference,
      image,
      footnote: (text) => footnotes.push(text),
      anchor: (id, title) => ids.set(id, title),
    },
    blocks: (some, depth) => printBlocks(some, reading, depth),
  }
  const own = lines.map(({ text }, index) => ({ text, index }))
  const start = readHeader(own, reading)
  const head = printBlocks(start.title, reading, 0)
  const out = printBlocks(own.slice(start.end), reading, 0)
  const last = Math.max(0, lines.length - 1)
  return {
    ids,
    title: reading.title.text ?? attributes.get('doctitle'),
    out: [
      ...head,
      ...(head.length > 0 && out.length > 0 ? [{ text: '', index: out[0]?.index ?? 0 }] : []),
      ...out,
      ...footnotes.flatMap((text, at) => [
        { text: '', index: last },
        { text: `[^${at + 1}]: ${text.replaceAll('\n', ' ')}`, index: last },
      ]),
    ],
  }
}

/** The title of a page with what stands above it, and where its body begins. Attributes below a title are known in it. */
function readHeader(lines: readonly Line[], { attributes }: Reading): { title: Line[]; end: number } {
  const title: Line[] = []
  let at = 0
  for (; at < lines.length; at++) {
    const line = lines[at]
    if (line === undefined) break
    if (/^[=#]\s+\S/.test(line.text)) {
      title.push(line)
      break
    }
    if (line.text === '' || isComment(line.text) || attributes.read(line.text)) continue
    if (!/^\[.*\]$/.test(line.text)) return { title: [], end: title.length === 0 ? at : 0 }
    title.push(line)
  }
  if (at === lines.length) return { title: [], end: 0 }
  // Authors and a version may stand right below it.
  let isBelow = true
  for (at++; at < lines.length && lines[at]?.text !== ''; at++) {
    const text = lines[at]?.text ?? ''
    if (isComment(text)) continue
    const isEntry = attributes.read(text)
    if (!isEntry && !(isBelow && /^[\p{L}\d][^=[\]|:]*$|^v\d/u.test(text))) break
    if (isEntry) isBelow = false
  }
  return { title, end: at }
}
