import type { Site } from '../site.ts'
import { readFrontMatter } from '../markdown/front-matter.ts'
import { type PageSyntax, type PageTree, treeOf } from '../markdown/page-tree.ts'
import type { SiteView } from './site-view.ts'
import { markdownEnding, pageEnding } from '../text/markup.ts'

/** A file's text in one of the two trees. */
export interface FileVersion {
  path: string
  text: string
  /** Of the content. */
  oid: string
  view: SiteView
  site: Site
  isMarkdown: boolean
  /** The kind of MDX that the framework reads the file as, be it a page or something that pages include. */
  mdx: PageSyntax | undefined
  /** The tree of a Markdown file; MDX that does not parse is read as Markdown. Undefined for what takes too long to read. */
  tree: PageTree | undefined
}

interface ChangedFile {
  path: string
  /** Its path in the base, or the file that it is a copy of; undefined when it is new. */
  from: string | undefined
}

/** What differs between two trees. */
export interface TreeChange {
  base: SiteView
  head: SiteView
  /** Files of the head that are new, moved or have another content. */
  files: readonly ChangedFile[]
  /** Files of the base that no longer exist, with their new path; undefined for deleted ones. */
  removed: ReadonlyMap<string, string | undefined>
}

/** Characters; nobody writes longer pages by hand. */
const maxLength = 1024 * 1024
const maxMoves = 200

export async function changeBetween(base: SiteView, head: SiteView): Promise<TreeChange> {
  const [before, after] = [base.oids(), head.oids()]
  const changed = [...after].filter(([path, oid]) => before.get(path) !== oid).map(([path]) => path)
  const gone = [...before.keys()].filter((path) => !after.has(path))
  const moves = await findMoves(
    base,
    head,
    gone,
    changed.filter((path) => !before.has(path)),
  )
  const origins = new Map([...moves].map(([from, to]) => [to, from]))
  const copied = new Map([...before].map(([path, oid]) => [oid, path]))
  return {
    base,
    head,
    files: changed.map((path) => ({
      path,
      from: before.has(path) ? path : (origins.get(path) ?? copied.get(after.get(path) ?? '')),
    })),
    removed: new Map(gone.map((path) => [path, moves.get(path)])),
  }
}

/** Undefined when the file is not text, or is too long. */
export async function readVersion(view: SiteView, path: string): Promise<FileVersion | undefined> {
  const oid = view.oids().get(path)
  const text = oid === undefined ? undefined : await view.text(path)
  if (oid === undefined || text === undefined || text.length > maxLength) return undefined
  const isMarkdown = markdownEnding.test(path)
  const site = await view.site()
  const mdx = isMarkdown ? mdxSyntax(site, path, text) : undefined
  let tree: { read: PageTree | undefined } | undefined
  return {
    path,
    text,
    oid,
    view,
    site,
    isMarkdown,
    mdx,
    get tree() {
      tree ??= { read: isMarkdown ? treeOf(text, mdx ?? 'flat-markdown') : undefined }
      return tree.read
    },
  }
}

function mdxSyntax(site: Site, path: string, text: string): PageSyntax | undefined {
  const { mdx, mdxSyntax } = site.dialectOf(path)
  const isPage = () => site.pageFor(path, readFrontMatter(text).data) !== undefined
  return path.endsWith('.mdx') || (mdx && path.endsWith('.md') && isPage()) ? mdxSyntax : undefined
}

/** Returns a test for whether a line of the new text, from 1, is not in the old text. */
export function addedLines(before: string | undefined, after: string): (line: number) => boolean {
  const known = new Set((before ?? '').split('\n').map((line) => line.trim()))
  const lines = after.split('\n')
  return (line) => !known.has((lines[line - 1] ?? '').trim())
}

/** From old to new path: files with the same content, and pages that share most of their lines. */
async function findMoves(
  base: SiteView,
  head: SiteView,
  gone: readonly string[],
  added: readonly string[],
): Promise<Map<string, string>> {
  const moves = new Map<string, string>()
  const taken = new Set<string>()
  const byContent = Map.groupBy(added, (path) => head.oids().get(path))
  for (const path of gone) {
    const same = byContent.get(base.oids().get(path))?.filter((one) => !taken.has(one)) ?? []
    const [to] = same.sort((one, other) => sharedNames(path, other) - sharedNames(path, one))
    if (to === undefined) continue
    moves.set(path, to)
    taken.add(to)
  }
  const open = gone.filter((path) => pageEnding.test(path) && !moves.has(path)).slice(0, maxMoves)
  const candidates = added.filter((path) => pageEnding.test(path) && !taken.has(path)).slice(0, maxMoves)
  if (open.length === 0 || candidates.length === 0) return moves
  const texts = await Promise.all(
    candidates.map(async (path) => ({ path, lines: linesOf(await head.text(path)) })),
  )
  for (const path of open) {
    if (!base.begin('page', path)) continue
    const own = linesOf(await base.text(path))
    const free = texts.filter((one) => !taken.has(one.path))
    const [best] = free
      .map((one) => ({ path: one.path, share: shareOf(own, one.lines) }))
      .sort(
        (one, other) =>
          other.share - one.share || sharedNames(path, other.path) - sharedNames(path, one.path),
      )
    if (best === undefined || best.share < 0.5) continue
    moves.set(path, best.path)
    taken.add(best.path)
  }
  return moves
}

/** How many names of two paths are the same from the start and from the end: pages of a language may have the same text as those of others. */
function sharedNames(path: string, other: string): number {
  const [one, two] = [path.split('/'), other.split('/')]
  const equal = (at: number) => (one.at(at) === two.at(at) ? 1 : 0)
  let [start, end] = [0, 0]
  while (start < Math.min(one.length, two.length) && equal(start) === 1) start++
  while (end < Math.min(one.length, two.length) - start && equal(-1 - end) === 1) end++
  return start + end
}

function linesOf(text = ''): Set<string> {
  const lines = text.slice(0, 100_000).split('\n')
  return new Set(lines.map((line) => line.trim()).filter((line) => line.length > 3))
}

function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const most = Math.max(one.size, other.size)
  return most === 0 ? 0 : [...one].filter((line) => other.has(line)).length / most
}
