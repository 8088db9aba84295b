import type { Site } from '../../../site/frameworks/site.ts'
import type { PageFacts } from '../../../site/checks/site-view.ts'
import type { FileReference } from '../../../site/text/file-references.ts'
import { folderOf, relativePath, resolvePath } from '../../../site/text/paths.ts'
import type { Edit } from '../../../site/text/text-file.ts'

/** A page's move, with the site before and after it. */
export interface Move {
  from: string
  to: string
  before: Site
  after: Site
  /** Files before the move. */
  paths: ReadonlySet<string>
}

/**
 * The edits that keep a file's links where they lead: to the moved page, and, in the moved page itself, everywhere.
 * Links that still lead there as they are stay as they are; the others are written in the way they were.
 */
export function moveReferences(
  move: Move,
  path: string,
  facts: Pick<PageFacts, 'links' | 'references'>,
): Edit[] {
  const isMoved = path === move.from
  const here = isMoved ? move.to : path
  const edits: Edit[] = []
  for (const link of facts.links) {
    const target = move.before.resolveLink(path, link.href)
    if (target.kind !== 'page' && target.kind !== 'asset') continue
    if (target.kind === 'page' && target.redirected) continue
    if (!isMoved && target.path !== move.from) continue
    if (link.href.startsWith('#') || link.href.startsWith('?')) continue
    const href = moved(move, { path, here, target: target.path }, link.href)
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
  link: { path: string; here: string; target: string },
  href: string,
): string | undefined {
  const { here } = link
  const target = link.target === move.from ? move.to : link.target
  // The site is lenient with links; one that named the file goes on naming it.
  const named = namesFile(link.path, href, link.target)
  const leads = (candidate: string) => {
    if (named && !namesFile(here, candidate, target)) return false
    const resolved = move.after.resolveLink(here, candidate)
    if (resolved.kind === 'page') return resolved.path === target && !resolved.redirected
    return resolved.kind === 'asset' && resolved.path === target
  }
  if (leads(href)) return undefined
  // In the way it is written; if that cannot name the new place, by its file, then by its address.
  const suffix = /[?#].*$/s.exec(href)?.[0] ?? ''
  const extension = /\.[^./]+$/.exec(target)?.[0] ?? ''
  const byAddress = inFallback(move, href)
  if (byAddress !== undefined && leads(byAddress)) return byAddress
  return [href, `x${extension}${suffix}`, `/x${suffix}`]
    .map((like) => move.after.linkTo(here, target, like))
    .find(leads)
}

/** A translation that is missing shows the original below its own address: the link stays in its language. */
function inFallback(move: Move, href: string): string | undefined {
  const [old, now] = [addressIn(move.before, move.from), addressIn(move.after, move.to)]
  const [whole = '', path = '', rest = ''] = /^(\/[^?#]*?)(\/?(?:[?#].*)?)$/s.exec(href) ?? []
  if (whole === '' || old === undefined || now === undefined || old.language !== now.language)
    return undefined
  if (!path.endsWith(old.inside) || path === `${old.prefix}${old.inside}`) return undefined
  return `${path.slice(0, path.length - old.inside.length)}${now.inside}${rest}`
}

/** A page's address as its language's folder, if it has one, and the rest of it. */
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
  const name = href.replace(/[?#].*$/s, '')
  if (name.startsWith('/')) return false
  try {
    return resolvePath(folderOf(path), decodeURIComponent(name)) === target
  } catch {
    return false
  }
}

function moveFileReference(
  move: Move,
  path: string,
  here: string,
  reference: FileReference,
): Edit | undefined {
  const file = referredFile(move.paths, folderOf(path), reference.text)
  if (file === undefined || (path !== move.from && file !== move.from)) return undefined
  const target = file === move.from ? move.to : file
  const ending = file.slice((resolvePath(folderOf(path), reference.text) ?? file).length)
  const full = relativePath(folderOf(here), target)
  const bare = reference.text.startsWith('.') ? full : full.replace(/^\.\//, '')
  const text = ending !== '' && bare.endsWith(ending) ? bare.slice(0, bare.length - ending.length) : bare
  return text === reference.text ? undefined : { start: reference.start, end: reference.end, text }
}

/** The file that a reference from a folder names. An import may leave out the extension or name a folder. */
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
