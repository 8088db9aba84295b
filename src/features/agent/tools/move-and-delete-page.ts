import { z } from 'zod'
import type { Site } from '../../../site/frameworks/site.ts'
import type { SiteView, PageFacts } from '../../../site/checks/site-view.ts'
import { type Mention, codeMentions, isSiteCode } from '../../../site/navigation/code-mentions.ts'
import type { FileEdits } from '../../../site/navigation/edit-navigation.ts'
import { encodeText } from '../../../site/text/encoding.ts'
import { applyEdits, lineFinder, type Edit } from '../../../site/text/text-file.ts'
import { type Workspace, requirePath } from '../workspace/workspace.ts'
import { quote } from '../../../lib/quote.ts'
import { openFile, openText, type PathGuard } from './guarded-files.ts'
import { aliasEdits } from '../../../site/navigation/plain/alias-edits.ts'
import { openNavigation } from '../../../site/navigation/open-navigation.ts'
import { readFrontMatter } from '../../../site/pages/front-matter.ts'
import { Plan } from './plan.ts'
import { type AgentTool, defineTool } from './tool.ts'
import { ToolError } from '../../../lib/tool-error.ts'
import type { FileReference } from '../../../site/text/file-references.ts'
import { folderOf, relativePath, resolvePath } from '../../../site/text/paths.ts'

const pageFile = /\.(?:md|mdx|markdown)$/i

export function movePageTool(workspace: Workspace, view: SiteView, guard: PathGuard): AgentTool {
  return defineTool({
    name: 'move_page',
    description:
      'Moves or renames a page or a snippet. Links to it, its own relative links, the navigation and, where the site keeps them in files, ' +
      'redirects follow; `notUpdated` names lines of configuration code that still name the old page. Read it again before you edit it.',
    input: z.object({ from: z.string(), to: z.string() }),
    run: async (input) => {
      const from = requirePath(input.from.replace(/^\.\//, ''))
      const to = targetPath(from, input.to)
      const page = await openText(workspace, from)
      await guard.requireWritable(from)
      await guard.requireWritable(to)
      requireMovable(workspace, from, to)
      const before = await view.site()
      // A snippet, or a file that is not part of the site: it has no address, but other files may reference it.
      const isPage = before.pageFor(from) !== undefined

      const navigation = await openNavigation(view)
      const paths = new Set(view.oids().keys())
      const { data } = readFrontMatter(page.text)
      const fromUrl = before.pageFor(from, data)?.url
      const newPaths = [...paths].filter((path) => path !== from)
      newPaths.push(to)
      const siteWith = (plan: Plan) => view.siteOf(newPaths, new Map([...plan.texts(), [to, page.text]]))
      const draft = await siteWith(new Plan(workspace, guard))
      const draftUrl = draft.pageFor(to, data)?.url
      if (isPage && draftUrl === undefined)
        throw new ToolError('not_a_page', `The site would not have a page for ${quote(to)}`)
      requireFreeAddress(draft, to)
      const planWith = async (toUrl: string | undefined) => {
        const plan = new Plan(workspace, guard)
        const named =
          isPage && toUrl !== undefined
            ? (navigation?.move({ from, to, fromUrl: fromUrl ?? toUrl, toUrl }) ?? [])
            : []
        for (const edits of named) if (edits.path !== from) await plan.edit(edits)
        return { plan, named, toUrl }
      }
      let planned = await planWith(draftUrl)
      const after = await siteWith(planned.plan)
      // The page's place in the navigation may be part of its address.
      const placedUrl = after.pageFor(to, data)?.url
      if (placedUrl !== draftUrl) planned = await planWith(placedUrl)
      const { plan, named, toUrl } = planned

      const { aliasField } = before
      const isReaddressed = fromUrl !== undefined && toUrl !== undefined && fromUrl !== toUrl
      const own = named.flatMap(({ path, edits }) => (path === from ? edits : []))
      if (aliasField !== undefined && isReaddressed)
        own.push(...aliasEdits(page.text, aliasField, { from: fromUrl, to: toUrl }))
      const hasAlias = aliasField !== undefined && own.length > 0
      const move: Move = { from, to, before, after, paths }
      const sources = [...paths].filter((path) => pageFile.test(path))
      for await (const { path, facts } of view.eachFacts(sources)) {
        const edits = moveReferences(move, path, facts)
        if (edits.length === 0) continue
        if (path === from) own.push(...edits)
        // A page that cannot be edited keeps its link: the redirect covers it, or the check reports it.
        else if ((await guard.allows(path)) && (await plan.isText(path))) await plan.edit({ path, edits })
      }
      const changed = plan.apply([
        { path: from, content: undefined },
        { path: to, content: encodeText(applyEdits(page.text, own), page.encoding) },
      ])
      const redirect = isReaddressed && (hasAlias || navigation?.hasRedirects === true)
      const mentions = await mentionsInCode(view, namesOf(before, from, fromUrl), named)
      return { from, to, changed, redirect, ...(mentions.length > 0 ? { notUpdated: mentions } : {}) }
    },
  })
}

/** Navigation that is computed by code is not edited: the model gets the lines, to change them or to report them. */
async function mentionsInCode(
  view: SiteView,
  names: readonly string[],
  edited: readonly FileEdits[],
): Promise<Mention[]> {
  const mentions: Mention[] = []
  for (const path of [...view.oids().keys()].filter(isSiteCode).slice(0, 50)) {
    const made = edited.find((file) => file.path === path)?.edits ?? []
    mentions.push(...codeMentions(path, (await view.text(path)) ?? '', { names, made }))
  }
  return mentions.slice(0, 50)
}

/** How code may reference a page: by address, by path and, as sidebars do, by path without extension. */
function namesOf(site: Site, path: string, url: string | undefined): string[] {
  const inside = path.slice(path.startsWith(site.root) ? site.root.length : 0)
  const bare = inside.replace(pageFile, '')
  const address = (url ?? '').replace(/\.html$/, '')
  return [
    inside,
    `/${inside}`,
    bare,
    `/${bare}`,
    address,
    `${address}.html`,
    address.replace(/\/$/, ''),
    `${address}/`,
  ]
}

/** Completes the new path: without an extension it gets that of the page, and a folder gets the page's file name. */
function targetPath(from: string, given: string): string {
  const plain = given.replace(/^\.\//, '')
  const name = from.slice(from.lastIndexOf('/') + 1)
  const path = plain.endsWith('/') ? `${plain}${name}` : plain
  requirePath(path)
  if (!pageFile.test(from)) return path
  return pageFile.test(path) ? path : `${path}${pageFile.exec(from)?.[0] ?? ''}`
}

function requireMovable(workspace: Workspace, from: string, to: string): void {
  if (from === to) throw new ToolError('invalid', 'The page is there already')
  if (workspace.has(to)) throw new ToolError('exists', `There is already a file ${quote(to)}`)
}

function requireFreeAddress(site: Site, to: string): void {
  const taken = site.collisions.find((collision) => collision.paths.includes(to))
  const other = taken?.paths.find((path) => path !== to)
  if (taken === undefined || other === undefined) return
  throw new ToolError('exists', `The page would have the address ${taken.url}, which ${quote(other)} has`)
}

/** The move of a page, with the site before and after it. */
interface Move {
  from: string
  to: string
  before: Site
  after: Site
  /** All files before the move. */
  paths: ReadonlySet<string>
}

/**
 * The edits that keep a file's links valid: those to the moved page and, within the moved page, all links. Links
 * that still work stay unchanged; the others are written in their original style.
 */
function moveReferences(move: Move, path: string, facts: Pick<PageFacts, 'links' | 'references'>): Edit[] {
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
  // Sites resolve links leniently, but a link to the file should keep naming the file.
  const named = namesFile(link.path, href, link.target)
  const leads = (candidate: string) => {
    if (named && !namesFile(here, candidate, target)) return false
    const resolved = move.after.resolveLink(here, candidate)
    if (resolved.kind === 'page') return resolved.path === target && !resolved.redirected
    return resolved.kind === 'asset' && resolved.path === target
  }
  if (leads(href)) return undefined
  // Tries the link's own style first, then the file path, then the address.
  const suffix = /[?#].*$/s.exec(href)?.[0] ?? ''
  const extension = /\.[^./]+$/.exec(target)?.[0] ?? ''
  const byAddress = inFallback(move, href)
  if (byAddress !== undefined && leads(byAddress)) return byAddress
  return [href, `x${extension}${suffix}`, `/x${suffix}`]
    .map((like) => move.after.linkTo(here, target, like))
    .find(leads)
}

/**
 * A missing translation shows the original page below its own language's address, so the link stays in its
 * language.
 */
function inFallback(move: Move, href: string): string | undefined {
  const [old, now] = [addressIn(move.before, move.from), addressIn(move.after, move.to)]
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

/** The file that a reference from a folder resolves to. An import may omit the extension or name a folder. */
function referredFile(paths: ReadonlySet<string>, folder: string, name: string): string | undefined {
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

const maxLinks = 500

export function deletePageTool(workspace: Workspace, view: SiteView, guard: PathGuard): AgentTool {
  return defineTool({
    name: 'delete_page',
    description:
      'Deletes a page with its navigation entry, or another documentation file such as a snippet. The links and imports that led to it ' +
      'come back: change or remove them, and add a redirect if another page takes its place.',
    input: z.object({ path: z.string() }),
    run: async ({ path }) => {
      await openFile(workspace, path)
      await guard.requireWritable(path)
      const site = await view.site()
      const plan = new Plan(workspace, guard)
      const navigation = site.pageFor(path) === undefined ? undefined : await openNavigation(view)
      for (const edits of navigation?.remove(path) ?? []) if (edits.path !== path) await plan.edit(edits)
      const inboundLinks: { path: string; line: number; href: string }[] = []
      const sources = [...view.oids().keys()].filter(
        (file) => /\.(?:md|mdx|markdown)$/i.test(file) && file !== path,
      )
      const paths = new Set(view.oids().keys())
      for await (const { path: source, facts } of view.eachFacts(sources)) {
        for (const { href, line } of facts.links) {
          const target = site.resolveLink(source, href)
          const leads = target.kind === 'page' || target.kind === 'asset'
          // Its entry in a list of links goes with the page.
          const isEntry = navigation?.entries.some((entry) => entry.file === source && entry.line === line)
          if (leads && target.path === path && isEntry !== true)
            inboundLinks.push({ path: source, line, href })
        }
        // Imports and includes: without them the page cannot be built.
        for (const { start, text } of facts.references) {
          if (referredFile(paths, folderOf(source), text) !== path) continue
          const content = (await view.text(source)) ?? ''
          inboundLinks.push({ path: source, line: lineFinder(content)(start), href: text })
        }
      }
      const changed = plan.apply([{ path, content: undefined }])
      return { path, changed, inboundLinks: inboundLinks.slice(0, maxLinks) }
    },
  })
}
