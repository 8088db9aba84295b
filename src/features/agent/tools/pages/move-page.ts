import { z } from 'zod'
import { placesOf, showingPages } from '../../../../site/checks/links/link-places.ts'
import type { SiteView } from '../../../../site/checks/site-view.ts'
import type { Site } from '../../../../site/site.ts'
import type { Mention } from '../../../../site/code-config/code-mentions.ts'
import type { FileEdits } from '../../../../site/navigation/edit-navigation.ts'
import { attributeAliasEdits } from '../../../../site/asciidoc/alias-edits.ts'
import { aliasEdits } from '../../../../site/navigation/alias-edits.ts'
import { openNavigation } from '../../../../site/frameworks/open-navigation.ts'
import type { Link } from '../../../../site/markdown/extract-links.ts'
import { readFrontMatter } from '../../../../site/markdown/front-matter.ts'
import { decodeText, encodeEdited } from '../../../../site/text/encoding.ts'
import { applyEdits, type Edit } from '../../../../site/text/text-file.ts'
import { markupOf, pageEnding } from '../../../../site/text/markup.ts'
import { readFacts } from '../../../../site/checks/page-facts.ts'
import { quote } from '../../../../lib/text/quote.ts'
import { ToolError } from '../../../../lib/tool-error.ts'
import { type Workspace, openWorkspace, requirePath } from '../../workspace/workspace.ts'
import { openFile, type PathGuard } from '../calls/guarded-files.ts'
import { mentionsInCode, namesOf } from './move-mentions.ts'
import { type Move, moveReferences } from './move-references.ts'
import type { Paths } from '../calls/paths.ts'
import { copiesThatStay, translatedPath, translationsOf } from './translations.ts'
import { Plan } from './plan.ts'
import { type AgentTool, defineTool } from '../calls/tool.ts'

const maxMoved = 200

/** What a move needs beside the tree that it changes. */
interface MovePorts {
  guard: PathGuard
  paths: Paths
  /** The site at the start of the turn. */
  base: SiteView
  /** Files that earlier turns of the job have made, which no reader has seen. */
  unpublished: ReadonlySet<string>
}

export function movePageTool(workspace: Workspace, view: SiteView, ports: MovePorts): AgentTool {
  return defineTool({
    name: 'move_page',
    changesFiles: true,
    description: 'Moves a page, snippet or folder. Links, navigation, redirects and translations follow.',
    input: z.object({ from: z.string(), to: z.string() }),
    run: async ({ from: given, to: wanted }) => {
      const named = await pairsOf(workspace, ports.paths, given, wanted)
      const own = named.length
      named.push(...withTranslations(await view.site(), workspace, named))
      const isMovable = await Promise.all(named.map(({ from }) => ports.guard.allows(from)))
      const movable = named.filter((_, at) => isMovable[at])
      // Without any the error says why.
      const pairs = movable.length > 0 ? movable : named
      const stayed = named.filter((pair) => !pairs.includes(pair)).map(({ from }) => from)
      const [first] = pairs
      if (first === undefined) throw new ToolError('not_found', `There is nothing in ${quote(given)}`)
      const isOne = own === 1 && workspace.has(await ports.paths.file(given))
      const copies = copiesThatStay(await view.site(), pairs)
      if (isOne && copies.original !== undefined)
        throw new ToolError(
          'translation',
          `${quote(first.from)} is a translation of ${quote(copies.original)}, whose path it has to have: move that, and its translations follow`,
        )
      const planned = await planMoves(workspace, view, ports, pairs)
      await restoreBase(workspace, ports, pairs, planned)
      const { plan, files, redirects, unchanged, mentions } = planned
      const changed = plan.apply([
        ...pairs.map(({ from }) => ({ path: from, content: undefined })),
        ...[...files].map(([path, content]) => ({ path, content })),
      ])
      return {
        ...(isOne ? first : { moved: pairs }),
        ...(isOne && pairs.length > 1 ? { moved: pairs.slice(1) } : {}),
        ...(stayed.length > 0 ? { stayed } : {}),
        ...copies,
        changed,
        ...(isOne ? { redirect: redirects > 0 } : { redirects }),
        ...(isOne && unchanged > 0 ? { sameAddress: true } : {}),
        ...(mentions.length > 0 ? { notUpdated: mentions } : {}),
      }
    },
  })
}

interface Pair {
  from: string
  to: string
}

/** The same moves of the pages in other languages, where they are free to follow. */
function withTranslations(site: Site, workspace: Workspace, pairs: readonly Pair[]): Pair[] {
  const files = workspace.list().map(({ path }) => path)
  const known = new Set(pairs.flatMap(({ from, to }) => [from, to]))
  return pairs.flatMap(({ from, to }) =>
    translationsOf(site, from, files).flatMap((translation): Pair[] => {
      const target = translatedPath(translation, from, to)
      if (target === undefined || target === translation || workspace.has(target)) return []
      return known.has(translation) || known.has(target) ? [] : [{ from: translation, to: target }]
    }),
  )
}

/** The files that move: one, or all of a folder. */
async function pairsOf(workspace: Workspace, paths: Paths, given: string, wanted: string): Promise<Pair[]> {
  const folder = await paths.folder(given)
  const isFolder = folder !== '' && workspace.hasFolder(folder)
  const isBeside = ['.md', '.mdx', '.markdown', '.rst', '.adoc'].some((ending) =>
    workspace.has(`${folder}${ending}`),
  )
  // The path of a folder means all of it, its index page too, unless only a page can be meant.
  const isPage =
    /^(?:\/|https?:)/i.test(given) || pageEnding.test(wanted) || (isBeside && !given.endsWith('/'))
  const from = isFolder && !isPage ? folder : await paths.file(given)
  if (workspace.has(from)) return [{ from, to: await targetPath(paths, from, wanted) }]
  if (!isFolder) {
    await openFile(workspace, requirePath(from.replace(/^\.\//, '')))
    return []
  }
  const to = requirePath(await paths.newFolder(wanted))
  if (to === folder || to.startsWith(`${folder}/`))
    throw new ToolError('invalid', 'A folder cannot be moved into itself')
  const inside = workspace.list().filter(({ path }) => path.startsWith(`${folder}/`))
  if (inside.length > maxMoved)
    throw new ToolError(
      'too_large',
      `${quote(folder)} has more than ${maxMoved} files: move its folders one by one`,
    )
  return inside.map(({ path }) => ({ from: path, to: `${to}${path.slice(folder.length)}` }))
}

interface PlannedMove {
  plan: Plan
  /** The moved files at their new places. */
  files: Map<string, Uint8Array>
  redirects: number
  /** Pages whose address stays, because their front matter states it. */
  unchanged: number
  mentions: Mention[]
}

/** Plans what follows from a move in the navigation, one file after the other, and then in all links at once. */
async function planMoves(
  workspace: Workspace,
  view: SiteView,
  { guard, base, unpublished }: MovePorts,
  pairs: readonly Pair[],
): Promise<PlannedMove> {
  const plan = new Plan(workspace, guard)
  const before = await view.site()
  const start = await base.site()
  const all = new Set(view.oids().keys())
  const moved = new Map<string, string>()
  const texts = new Map<string, string>()
  const files = new Map<string, Uint8Array>()
  const named: FileEdits[] = []
  const names: string[] = []
  let redirects = 0
  let unchanged = 0
  const targets = new Map(pairs.map(({ from, to }) => [from, to]))
  // A file whose turn to move has not come is still at its old place.
  const planned = () => {
    const now = pairs.flatMap(({ from, to }) => {
      const text = texts.get(to)
      return text === undefined ? [] : [[moved.get(from) ?? from, text] as const]
    })
    return new Map([...plan.texts(), ...now])
  }
  const nowPaths = () => [...all].map((path) => moved.get(path) ?? path)
  const rewrite = (path: string, edits: readonly Edit[]): void => {
    const decoded = decodeText(files.get(path) ?? new Uint8Array())
    if (decoded === undefined || edits.length === 0) return
    const text = applyEdits(decoded.text, edits)
    texts.set(path, text)
    files.set(path, encodeEdited(text, decoded))
  }
  for (const { from, to } of pairs) {
    const content = await openFile(workspace, from)
    await guard.requireWritable(from)
    await guard.requireWritable(to)
    requireFree(workspace, from, to)
    const text = decodeText(content)?.text
    if (text === undefined && pageEnding.test(from))
      throw new ToolError('binary', `${quote(from)} is a binary file`)
    files.set(to, content)
    if (text !== undefined) texts.set(to, text)
  }
  for (const { from, to } of pairs) {
    const text = texts.get(to)
    // A snippet, or a file that is not part of the site: it has no address, but other files may reference it.
    const isPage = before.pageFor(from) !== undefined
    const navigation = isPage ? await openNavigation(plannedView(view, moved, planned)) : undefined
    moved.set(from, to)
    if (!isPage) continue
    const { data } = readFrontMatter(text ?? '')
    const fromUrl = before.pageFor(from, data)?.url
    // The new address can be computed before the navigation contains the page.
    const draft = await view.siteOf(nowPaths(), planned())
    const draftUrl = draft.pageFor(to, data)?.url
    if (draftUrl === undefined)
      throw new ToolError('not_a_page', `The site would not have a page for ${quote(to)}`)
    requireFreeAddress(draft, to)
    names.push(...namesOf(before, from, fromUrl))
    const isPublished =
      (base.oids().has(from) && !unpublished.has(from)) ||
      (fromUrl !== undefined && start.redirects.has(fromUrl))
    const moveTo = (url: string) =>
      navigation?.move({ from, to, fromUrl: fromUrl ?? url, toUrl: url, isPublished }) ?? []
    const placedBy = async (files: readonly FileEdits[]) => {
      const now = files.map((file) => ({ ...file, path: moved.get(file.path) ?? file.path }))
      return (await view.siteOf(nowPaths(), await withEdits(view, planned(), now))).pageFor(to, data)?.url
    }
    let edits = moveTo(draftUrl)
    const isPlaced = before.addressesFollowNavigation && edits.length > 0
    const placed = isPlaced ? await placedBy(edits) : draftUrl
    if (placed !== undefined && placed !== draftUrl) edits = moveTo(placed)
    const toUrl = placed ?? draftUrl
    const own: Edit[] = []
    for (const file of edits) {
      named.push(file)
      const place = targets.get(file.path) ?? file.path
      if (place === to) own.push(...file.edits)
      else if (files.has(place)) rewrite(place, file.edits)
      else await plan.edit(file)
    }
    const { aliasField } = before
    const isReaddressed = isPublished && fromUrl !== undefined && fromUrl !== toUrl
    const aliases =
      aliasField !== undefined && isReaddressed
        ? markupOf(to) === 'asciidoc'
          ? attributeAliasEdits(before, text ?? '', { field: aliasField, from, to })
          : aliasEdits(text ?? '', aliasField, {
              from: before.aliasOf({ path: from, url: fromUrl }, to),
              to: before.aliasOf({ path: to, url: toUrl }, to),
            })
        : []
    rewrite(to, [...own, ...aliases])
    if (isReaddressed && (aliases.length > 0 || navigation?.hasRedirects === true)) redirects++
    if (fromUrl === toUrl) unchanged++
  }
  for (const { from, to } of pairs) {
    const { data } = readFrontMatter(texts.get(to) ?? '')
    const navigation = plannedView(view, moved, planned)
    const site = await navigation.site()
    // Its old list named it by a pattern, or cannot name it where it is now.
    if (before.pageFor(from, data)?.inNavigation !== true || site.pageFor(to, data)?.inNavigation !== false)
      continue
    const title = (await view.facts(from))?.title
    const page = { path: to, title, group: undefined, after: undefined }
    for (const file of (await openNavigation(navigation))?.addWherePossible(page) ?? []) {
      named.push(file)
      if (files.has(file.path)) rewrite(file.path, file.edits)
      else await plan.edit(file)
    }
  }
  const after = await view.siteOf(nowPaths(), planned())
  const move: Move = { moved, before, after, paths: all }
  const showing = await showingPages(view)
  const sources = [...all].filter((path) => pageEnding.test(path) || showing.has(path))
  const stuck: Mention[] = []
  for await (const { path, facts } of view.eachFacts(sources)) {
    const to = moved.get(path)
    const showings = showing.get(path) ?? []
    // Where the navigation is in pages, their links were edited with it.
    const text = to === undefined ? plan.texts().get(path) : texts.get(to)
    const like = pageEnding.test(path) ? (to ?? path) : (showings[0]?.page ?? path)
    const isAsRead = text === undefined && markupOf(like) === markupOf(path)
    const now = isAsRead ? facts : readFacts(text ?? (await view.text(path)) ?? '', like)
    const note = ({ href, line }: Link) => stuck.push({ path: to ?? path, line, text: href })
    const edits = moveReferences(move, path, now, {
      places: (link) => placesOf(before, path, showings, link),
      // A link of a page is reported by the check.
      ...(showings.length > 0 && { onStuck: note }),
    })
    if (edits.length === 0) continue
    if (to !== undefined) rewrite(to, edits)
    // A page that cannot be edited keeps its link: the redirect covers it, or the check reports it.
    else if ((await guard.allows(path)) && (await plan.text(path)) !== undefined)
      await plan.edit({ path, edits })
    else if (showings.length > 0)
      for (const { start } of edits) for (const link of now.links) if (link.start === start) note(link)
  }
  const navigation = await openNavigation(plannedView(view, moved, planned)).catch(() => undefined)
  const arrived = new Set(targets.values())
  const entries = (navigation?.entries ?? []).filter(({ path }) => path !== undefined && arrived.has(path))
  const mentions = await mentionsInCode(view, names, { named, texts: plan.texts(), entries })
  return { plan, files, redirects, unchanged, mentions: [...stuck, ...mentions] }
}

async function withEdits(
  view: SiteView,
  texts: Map<string, string>,
  files: readonly FileEdits[],
): Promise<Map<string, string>> {
  for (const { path, edits } of files) {
    const text = texts.get(path) ?? (await view.configuration(path))
    if (text !== undefined) texts.set(path, applyEdits(text, edits))
  }
  return texts
}

/** The site with some files moved already, for reading its navigation. */
function plannedView(
  view: SiteView,
  moved: ReadonlyMap<string, string>,
  planned: () => ReadonlyMap<string, string>,
): Parameters<typeof openNavigation>[0] {
  if (moved.size === 0) return view
  const old = new Map([...moved].map(([from, to]) => [to, from]))
  const oids = () => new Map([...view.oids()].map(([path, oid]) => [moved.get(path) ?? path, oid]))
  return {
    site: () => view.siteOf([...oids().keys()], planned()),
    oids,
    configuration: async (path) => planned().get(path) ?? (await view.configuration(path)),
    async *eachFacts(paths) {
      for await (const { path, facts } of view.eachFacts(paths.map((one) => old.get(one) ?? one)))
        yield { path: moved.get(path) ?? path, facts }
    },
  }
}

/**
 * A move back to where files were at the start of the turn: what the move away had changed, and nothing else has, is written as it was
 * then, byte for byte.
 */
async function restoreBase(
  workspace: Workspace,
  ports: MovePorts,
  pairs: readonly Pair[],
  { plan, files }: PlannedMove,
): Promise<void> {
  const known = ports.base.oids()
  if (!pairs.every(({ from, to }) => known.has(to) && !known.has(from))) return
  const start = await openWorkspace(workspace.baseTree)
  const away = await planMoves(
    start,
    ports.base,
    ports,
    pairs.map(({ from, to }) => ({ from: to, to: from })),
  ).catch(() => undefined)
  if (away === undefined) return
  for (const { from, to } of pairs) {
    const content = await workspace.read(from)
    const before = await start.read(to)
    if (before !== undefined && isSame(content, away.files.get(from))) files.set(to, before)
  }
  for (const { path, content } of away.plan.changes()) {
    if (!workspace.has(path) || !isSame(await workspace.read(path), content)) continue
    const before = await start.read(path)
    if (before !== undefined) await plan.replace(path, before)
  }
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one !== undefined && other !== undefined && Buffer.compare(one, other) === 0
}

/** Completes the new path: without an extension it gets that of the page, and a folder gets the page's file name. */
export async function targetPath(paths: Paths, from: string, given: string): Promise<string> {
  const name = from.slice(from.lastIndexOf('/') + 1)
  const ending = pageEnding.exec(from)?.[0] ?? ''
  const isPage = pageEnding.test(given) || ending === ''
  const whole = given.endsWith('/') ? `${given}${name}` : isPage ? given : `${given}${ending}`
  const path = await paths.newFile(whole)
  requirePath(path)
  if (!pageEnding.test(from)) return path
  return pageEnding.test(path) ? path : `${path}${pageEnding.exec(from)?.[0] ?? ''}`
}

export function requireFree(workspace: Workspace, from: string, to: string): void {
  if (from === to) throw new ToolError('invalid', 'The page is there already')
  if (workspace.has(to)) throw new ToolError('exists', `There is already a file ${quote(to)}`)
}

export function requireFreeAddress(site: Site, to: string): void {
  const taken = site.collisions.find((collision) => collision.paths.includes(to))
  const other = taken?.paths.find((path) => path !== to)
  if (taken === undefined || other === undefined) return
  throw new ToolError('exists', `The page would have the address ${taken.url}, which ${quote(other)} has`)
}
