import type { PageFacts } from '../../../../site/checks/page-facts.ts'
import type { Site } from '../../../../site/site.ts'
import { writtenLinks } from '../../../../site/markdown/extract-links.ts'
import { markupOf } from '../../../../site/text/markup.ts'
import type { FileReference } from '../../../../site/pages/file-references.ts'
import { folderOf, relativePath, resolvePath } from '../../../../site/text/paths.ts'
import type { Edit } from '../../../../site/text/text-file.ts'
import { decodeDestination } from '../../../../site/markdown/entities.ts'
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

/**
 * The edits that keep a file's links valid: those to moved files and, within a moved file, all links. Links
 * that still work stay unchanged; the others are written in their original style. `here` is where the file will be.
 */
export function moveReferences(
  move: Move,
  path: string,
  facts: Pick<PageFacts, 'links' | 'references'>,
  here = move.moved.get(path) ?? path,
): Edit[] {
  const isMoved = here !== path
  const edits: Edit[] = []
  for (const link of writtenLinks(facts.links, move.before.dialectOf(path))) {
    // References of other markups are addresses of the built site.
    const isRaw = markupOf(path) !== undefined && link.isRaw === true
    const resolved = move.before.resolveLink(path, link.href, isRaw)
    // A plug-in may make something of a name that the generator alone does not read.
    const target =
      resolved.kind === 'broken' && resolved.names !== undefined
        ? { kind: 'asset' as const, path: resolved.names }
        : resolved
    if (target.kind !== 'page' && target.kind !== 'asset') continue
    if (target.kind === 'page' && target.redirected) {
      // A former name may count from the old place of a page that moves.
      const now = isMoved ? move.after.resolveLink(here, link.href, isRaw) : undefined
      const to = move.moved.get(target.path) ?? target.path
      if (now === undefined || (now.kind === 'page' && now.path === to)) continue
    }
    if (!isMoved && !move.moved.has(target.path)) continue
    if (link.href.startsWith('#') || link.href.startsWith('?')) continue
    const isBroken = resolved.kind === 'broken'
    const href = moved(move, { path, here, target: target.path, isRaw, isBroken }, link.href)
    if (href !== undefined && href !== link.href) edits.push({ start: link.start, end: link.end, text: href })
  }
  for (const reference of facts.references) {
    const edit = moveFileReference(move, path, here, reference)
    if (edit !== undefined && !edits.some((other) => other.start < edit.end && edit.start < other.end))
      edits.push(edit)
  }
  return edits
}

function moved(
  move: Move,
  link: { path: string; here: string; target: string; isRaw: boolean; isBroken: boolean },
  href: string,
): string | undefined {
  const { here } = link
  const target = move.moved.get(link.target) ?? link.target
  // Sites resolve links leniently, but a link to the file should keep naming the file.
  const named = namesFile(link.path, href, link.target)
  const leads = (candidate: string, keepsName = named) => {
    if (keepsName && !namesFile(here, candidate, target)) return false
    const resolved = move.after.resolveLink(here, candidate, link.isRaw)
    if (resolved.kind === 'page') return resolved.path === target && !resolved.redirected
    return (
      (resolved.kind === 'asset' && resolved.path === target) ||
      (link.isBroken && resolved.kind === 'broken' && resolved.names === target)
    )
  }
  if (leads(href)) return undefined
  // Tries the link's own style first, then the file path, then the address.
  const { suffix } = splitHref(href)
  const extension = /\.[^./]+$/.exec(target)?.[0] ?? ''
  const byAddress = inFallback(move, link.target, target, href)
  if (byAddress !== undefined && leads(byAddress)) return byAddress
  const written = [href, `x${extension}${suffix}`, `/x${suffix}`].map((like) =>
    move.after.linkTo(here, target, like),
  )
  return written.find((link) => leads(link)) ?? written.find((link) => leads(link, false))
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
