import type { PageFacts } from '../../../../site/checks/page-facts.ts'
import type { Site } from '../../../../site/site.ts'
import { type Link, writtenLinks } from '../../../../site/markdown/extract-links.ts'
import { markupOf } from '../../../../site/text/markup.ts'
import type { FileReference } from '../../../../site/pages/file-references.ts'
import { folderOf, relativePath, resolvePath } from '../../../../site/text/paths.ts'
import type { Edit } from '../../../../site/text/text-file.ts'
import { decodeDestination } from '../../../../site/markdown/entities.ts'
import { readLinkForm } from '../../../../site/markdown/link-forms.ts'
import { splitHref } from '../../../../site/links/href.ts'
import { decoded } from '../../../../lib/text/decoded.ts'

/** A move of files, with the site before and after it. */
export interface Move {
  /** The new path of each file that moves. */
  moved: ReadonlyMap<string, string>
  before: Site
  after: Site
  /** All files before the move. */
  paths: ReadonlySet<string>
}

/** How a file stands in a move. */
interface Standing {
  /** Where the file will be. */
  here?: string
  /** The files from which a link counts; by default the file alone. */
  places?: (link: Link) => readonly string[]
  /** Hears of a link for which there is no form that is right in all of its places. */
  onStuck?: (link: Link) => void
}

/**
 * The edits that keep a file's links valid: those to moved files and, within a moved file, all links. Links
 * that still work stay unchanged; the others are written in their original style.
 */
export function moveReferences(
  move: Move,
  path: string,
  facts: Pick<PageFacts, 'links' | 'references'>,
  { here = move.moved.get(path) ?? path, places = () => [path], onStuck }: Standing = {},
): Edit[] {
  const edits: Edit[] = []
  for (const link of writtenLinks(facts.links, move.before.dialectOf(path))) {
    if (link.href.startsWith('#') || link.href.startsWith('?')) continue
    const uses = places(link).flatMap(
      (from) =>
        useOf(move, { from, here: from === path ? here : (move.moved.get(from) ?? from) }, link) ?? [],
    )
    if (!uses.some(({ isTouched }) => isTouched)) continue
    const { href, isRight } = moved(move, uses, link.href)
    if (href !== link.href) edits.push({ start: link.start, end: link.end, text: href })
    if (!isRight) onStuck?.(link)
  }
  for (const reference of facts.references) {
    const edit = moveFileReference(move, path, here, reference)
    if (edit !== undefined && !edits.some((other) => other.start < edit.end && edit.start < other.end))
      edits.push(edit)
  }
  return edits
}

/** A link as it counts from one place. */
interface Use {
  from: string
  here: string
  target: string
  isRaw: boolean
  isBroken: boolean
  /** Whether the place or the target moves. */
  isTouched: boolean
  /** Whether the link leads above the top of the site before the move. */
  hasClimbed: boolean
}

/** Undefined where the link leads to no file. */
function useOf(
  move: Move,
  { from, here }: { from: string; here: string },
  { href, isRaw }: Link,
): Use | undefined {
  // References of other markups are addresses of the built site.
  const asRaw = markupOf(from) !== undefined && isRaw === true
  const resolved = move.before.resolveLink(from, href, asRaw)
  // A plug-in may make something of a name that the generator alone does not read.
  const target =
    resolved.kind === 'broken' && resolved.names !== undefined
      ? { kind: 'asset' as const, path: resolved.names }
      : resolved
  if (target.kind !== 'page' && target.kind !== 'asset') return undefined
  if (target.kind === 'page' && target.redirected) {
    // A former name may count from the old place of a page that moves.
    const now = here === from ? undefined : move.after.resolveLink(here, href, asRaw)
    const to = move.moved.get(target.path) ?? target.path
    if (now === undefined || (now.kind === 'page' && now.path === to)) return undefined
  }
  return {
    from,
    here,
    target: target.path,
    isRaw: asRaw,
    isBroken: resolved.kind === 'broken',
    isTouched: here !== from || move.moved.has(target.path),
    hasClimbed: climbsOut(move.before, from, href),
  }
}

/** A link that is right in as many of its places as can be. */
function moved(move: Move, uses: readonly Use[], href: string): { href: string; isRight: boolean } {
  const count = (candidate: string, isStrict: boolean) =>
    uses.filter((use) => leads(move, use, candidate, isStrict && namesFile(use.from, href, use.target)))
      .length
  const isRight = (candidate: string) => count(candidate, true) === uses.length
  if (isRight(href)) return { href, isRight: true }
  const written = [...new Set(uses.flatMap((use) => candidatesOf(move, use, href)))]
  const best = written.find(isRight)
  if (best !== undefined) return { href: best, isRight: true }
  // In one place, what sites resolve leniently is better than nothing.
  const isStrict = uses.length > 1
  let [most, right] = [href, count(href, isStrict)]
  for (const candidate of written) {
    const places = count(candidate, isStrict)
    if (places > right) [most, right] = [candidate, places]
  }
  return { href: most, isRight: right === uses.length }
}

/** The link's own style first, then the file path, then the address. */
function candidatesOf(move: Move, { here, target: old }: Use, href: string): string[] {
  const target = move.moved.get(old) ?? old
  const { suffix } = splitHref(href)
  const extension = /\.[^./]+$/.exec(target)?.[0] ?? ''
  const byAddress = inFallback(move, old, target, href)
  const form = readLinkForm(href)
  const likes =
    form === undefined
      ? [`x${extension}${suffix}`, `/x${extension}${suffix}`, `/x/${suffix}`]
      : [form.write(`/x${extension}`)]
  const written = [href, ...likes].map((like) => move.after.linkTo(here, target, like))
  return [...(byAddress === undefined ? [] : [byAddress]), ...written]
}

/** @param keepsName whether the link has to name the file: sites resolve links leniently */
function leads(move: Move, use: Use, href: string, keepsName: boolean): boolean {
  const target = move.moved.get(use.target) ?? use.target
  if (keepsName && !href.startsWith('/') && !namesFile(use.here, href, target)) return false
  const resolved = move.after.resolveLink(use.here, href, use.isRaw)
  if (resolved.kind === 'page')
    return (
      resolved.path === target &&
      !resolved.redirected &&
      (use.hasClimbed || !climbsOut(move.after, use.here, href))
    )
  return (
    (resolved.kind === 'asset' && resolved.path === target) ||
    (use.isBroken && resolved.kind === 'broken' && resolved.names === target)
  )
}

/** Whether a link leads above the top of the site. Browsers stop there, but a site may be served below a path. */
function climbsOut(site: Site, from: string, href: string): boolean {
  const steps = /^(?:\.\.?\/)*/.exec(href)?.[0].match(/\.\.\//g)?.length ?? 0
  const depth = Math.max(
    (site.pageFor(from)?.url ?? '/').split('/').length - 2,
    from.slice(site.root.length).split('/').length - 1,
  )
  return steps > depth
}

/**
 * A missing translation shows the original page below its own language's address, so the link stays in its
 * language.
 */
function inFallback(move: Move, from: string, to: string, href: string): string | undefined {
  if (from === to) return undefined
  const [old, now] = [addressIn(move.before, from), addressIn(move.after, to)]
  const [whole = '', path = '', rest = ''] = /^(\/[^?#]*?)(\/?(?:[?#].*)?)$/s.exec(href) ?? []
  if (whole === '' || old === undefined || now === undefined || old.language !== now.language)
    return undefined
  if (!path.endsWith(old.inside) || path === `${old.prefix}${old.inside}`) return undefined
  return `${path.slice(0, path.length - old.inside.length)}${now.inside}${rest}`
}

/** Splits a page's address into its language's folder, if it has one, and the rest. */
function addressIn(
  site: Site,
  path: string,
): { language: string | undefined; prefix: string; inside: string } | undefined {
  const page = site.pageFor(path)
  if (page?.language === undefined) return undefined
  const url = page.url.replace(/\/$/, '')
  const prefix = `/${page.language}`
  const isBelow = url.toLowerCase().startsWith(`${prefix.toLowerCase()}/`)
  return {
    language: page.language,
    prefix: isBelow ? url.slice(0, prefix.length) : '',
    inside: isBelow ? url.slice(prefix.length) : url,
  }
}

function namesFile(path: string, href: string, target: string): boolean {
  const name = splitHref(decodeDestination(href)).path
  return !name.startsWith('/') && resolvePath(folderOf(path), decoded(name)) === target
}

function moveFileReference(
  move: Move,
  path: string,
  here: string,
  reference: FileReference,
): Edit | undefined {
  const file = referredFile(move.paths, folderOf(path), reference.text)
  if (file === undefined || (path === here && !move.moved.has(file))) return undefined
  const target = move.moved.get(file) ?? file
  const ending = file.slice((resolvePath(folderOf(path), reference.text) ?? file).length)
  const full = relativePath(folderOf(here), target)
  const bare = reference.text.startsWith('.') ? full : full.replace(/^\.\//, '')
  const text = ending !== '' && bare.endsWith(ending) ? bare.slice(0, bare.length - ending.length) : bare
  return text === reference.text ? undefined : { start: reference.start, end: reference.end, text }
}

/** The file that a reference from a folder resolves to. An import may omit the extension or name a folder. */
export function referredFile(paths: ReadonlySet<string>, folder: string, name: string): string | undefined {
  const path = resolvePath(folder, name)
  if (path === undefined) return undefined
  const endings = [
    '',
    '.mdx',
    '.md',
    '.js',
    '.jsx',
    '.ts',
    '.tsx',
    '.json',
    '/index.js',
    '/index.jsx',
    '/index.ts',
    '/index.tsx',
    '/index.mdx',
  ]
  return endings.map((ending) => `${path}${ending}`).find((candidate) => paths.has(candidate))
}
