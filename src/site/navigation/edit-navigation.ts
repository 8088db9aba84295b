import { ToolError } from '../../lib/tool-error.ts'
import { type Edit, lineFinder } from '../text/text-file.ts'
import { insertEntry, joinRemovals, removeEntry } from './edit-container.ts'
import type {
  Holder,
  NavigationTree,
  PageList,
  Place,
  RedirectList,
  SourceFile,
  TreePage,
} from './navigation-tree.ts'
import { choosePlace, groupNames } from './choose-place.ts'

/** The navigation in a site's configuration files. Edits change the bytes of the entries that they concern, and no others. */
export interface Navigation {
  entries: readonly NavigationEntry[]
  /** Names of the groups that pages can be added to. */
  groups: readonly string[]
  /** Whether the site keeps redirects in files that can be edited. */
  hasRedirects: boolean
  /** Names a page's new path wherever the old one was named, and redirects the old address, if it was ever published, where the site can. */
  move(input: { from: string; to: string; fromUrl: string; toUrl: string; isPublished: boolean }): FileEdits[]
  remove(path: string): FileEdits[]
  /**
   * Adds a page, or moves its one entry to the group or behind the page that is named.
   * @throws ToolError `no_navigation`, `no_such_group`, `no_such_page` or `group_needed` with the groups there are
   */
  add(input: NewPage): FileEdits[]
  /** The same, with no edits where no place is sure. */
  addWherePossible(input: NewPage): FileEdits[]
}

/** A page that the navigation names, whether its file exists or not. */
interface NavigationEntry {
  /** The configuration file that names it. */
  file: string
  line: number
  /** As it is written there. */
  text: string
  /** The page's path; undefined when no file is there. */
  path: string | undefined
  /** The groups that it stands in, outermost first. */
  groups: readonly string[]
}

export interface FileEdits {
  path: string
  edits: Edit[]
}

interface NewPage {
  path: string
  title: string | undefined
  group: string | undefined
  after: string | undefined
}

/** Adds, moves and removes pages, the same for every format. */
export function editNavigation<Page extends TreePage<List>, List extends PageList>(
  tree: NavigationTree<Page, List>,
  urlOf: (path: string) => string,
): Navigation {
  const { pages, lists, redirects } = tree
  const add = ({ path, title, after, ...page }: NewPage, url = urlOf(path)): FileEdits[] => {
    // Groups without a label cannot be named.
    const group = page.group?.trim() === '' ? undefined : page.group
    const isNamed = (wanted: string) =>
      pages.some((page) => page.path === wanted && page.holder !== undefined)
    const known = pages.filter((one) => one.path === path && one.holder !== undefined)
    if (known.length > 0 && (known.length > 1 || (group === undefined && after === undefined))) return []
    const [old] = known
    const scope = tree.scopeOf(path, group !== undefined || (after !== undefined && isNamed(after)))
    if (typeof scope === 'string') throw new ToolError('no_navigation', scope)
    const place = choosePlace(scope, { path, group, after })
    if (old !== undefined && isAt(old, place)) return []
    const { container } = place.list
    const entry = tree.entry({ path, url, title: old === undefined ? title : old.label }, place)
    const added = { path: container.file.path, edits: insertEntry(container, place.after, entry) }
    return old === undefined ? [added] : byFile([...removal([old]), added])
  }
  const addWherePossible = (page: NewPage, url?: string): FileEdits[] => {
    try {
      return add(page, url)
    } catch (error) {
      if (error instanceof ToolError) return []
      throw error
    }
  }
  return {
    entries: entriesOf(pages),
    groups: groupNames(lists),
    hasRedirects: redirects !== undefined,
    add,
    addWherePossible,
    move: ({ from, to, fromUrl, toUrl, isPublished }) => {
      const edits: FileEdits[] = []
      const key = fromUrl === '/' ? undefined : tree.addressKey(fromUrl)
      for (const page of pages) {
        if (page.file.path === from && page.path !== from)
          edits.push({ path: from, edits: tree.follow?.(page, to) ?? [] })
        const leadsThere = page.path === undefined && page.address !== undefined && page.address === key
        if (page.path !== from && !leadsThere) continue
        const renamed = tree.rename(page, { path: to, url: toUrl, from })
        if (renamed !== undefined) edits.push({ path: page.file.path, edits: renamed })
        else {
          edits.push(...removal([page]))
          const moved = { path: to, title: page.label, group: undefined, after: undefined }
          edits.push(...addWherePossible(moved, toUrl))
        }
      }
      if (redirects !== undefined && (fromUrl !== toUrl || redirects.namesFiles === true)) {
        const old = redirects.nameOf({ path: from, url: fromUrl })
        const target = redirects.nameOf({ path: to, url: toUrl })
        const changed =
          fromUrl === toUrl
            ? retargeted(redirects, old, target)
            : redirectEdits(redirects, old, target, isPublished)
        edits.push({ path: redirects.path, edits: changed })
      }
      return byFile(edits)
    },
    remove: (path) => byFile(removal(pages.filter((page) => page.path === path))),
  }
}

/** Whether an entry stands there already: at the end of a list means anywhere in it. */
function isAt<Page extends TreePage<List>, List extends PageList>(
  { holder, list }: Page,
  place: Place<Page, List>,
): boolean {
  if (holder === undefined || list !== place.list) return false
  const { children } = holder.container
  const at = children.findIndex(({ start }) => start === holder.child.start)
  if (place.after === undefined) return true
  if (place.after === 'nothing') return at === 0
  const { start } = place.after
  return start === holder.child.start || children[at - 1]?.start === start
}

function entriesOf(pages: readonly TreePage[]): NavigationEntry[] {
  const finders = new Map<SourceFile, (offset: number) => number>()
  const entries = new Map<string, NavigationEntry>()
  for (const { file, node, text, path, isMissing, mustExist, groups } of pages) {
    if (!mustExist) continue
    const lineOf = finders.get(file) ?? lineFinder(file.text)
    finders.set(file, lineOf)
    const entry = {
      file: file.path,
      line: lineOf(node.start),
      text,
      path: isMissing ? undefined : path,
      groups,
    }
    // A list that several groups share has its entries once.
    entries.set(`${node.start} ${file.path}`, entry)
  }
  return [...entries.values()]
}

function removal(named: readonly TreePage[]): FileEdits[] {
  const lifted = named.flatMap(({ file, lift }) =>
    lift === undefined ? [] : [{ path: file.path, edits: lift() }],
  )
  return [...lifted, ...entriesWithout(named.filter(({ lift }) => lift === undefined))]
}

function entriesWithout(pages: readonly TreePage[]): FileEdits[] {
  const gone = pages.flatMap((page) => removed(page) ?? [])
  return gone.map((holder) => {
    const { file } = holder.container
    const inFile = gone.filter(({ container }) => container.file === file)
    const also = new Set(inFile.map(({ child }) => child.start))
    return { path: file.path, edits: removeEntry(holder, also) }
  })
}

/** What is removed with a page: its entry, and the groups that would be empty and may not be. */
function removed({ holder, list }: TreePage): Holder | undefined {
  let gone: Holder | undefined = holder
  let owner = list?.owner
  while (gone !== undefined && owner !== undefined && gone.container.children.length === 1) {
    gone = owner.holder
    owner = owner.owner
  }
  return gone
}

/** Lets redirects to a page follow its file. */
function retargeted({ entries, isSame }: RedirectList, from: string, to: string): Edit[] {
  return entries.flatMap((entry) =>
    entry.to !== undefined && isSame(entry.to, from) ? entry.retarget(to, entry.hash) : [],
  )
}

/** Redirects the old address to the new one. Redirects to the old address follow, and none becomes circular. */
function redirectEdits(
  { entries, isSame, append }: RedirectList,
  from: string,
  to: string,
  isPublished: boolean,
): Edit[] {
  const edits: Edit[] = []
  const circular: NonNullable<(typeof entries)[number]['whole']>[] = []
  let isKnown = false
  for (const entry of entries) {
    if (isSame(entry.from, to)) {
      if (entry.whole !== undefined) circular.push(entry.whole)
    } else if (isSame(entry.from, from)) {
      isKnown = true
      edits.push(...entry.retarget(to, undefined))
    } else if (entry.to !== undefined && isSame(entry.to, from)) edits.push(...entry.retarget(to, entry.hash))
  }
  // The new redirect replaces one that would now be circular. An address that nobody has seen needs none.
  const isNeeded = isPublished && !isKnown
  const own = isNeeded ? circular.shift() : undefined
  if (own !== undefined) edits.push(...own.replace(from, to))
  else if (isNeeded) edits.push(...append(from, to))
  for (const { remove } of circular) edits.push(...remove())
  return edits
}

/** Groups edits by file; an entry that several groups share is edited once. */
function byFile(all: readonly FileEdits[]): FileEdits[] {
  const files = new Map<string, Map<string, Edit>>()
  for (const { path, edits } of all) {
    if (edits.length === 0) continue
    const known = files.get(path) ?? new Map<string, Edit>()
    for (const edit of edits) known.set(`${edit.start} ${edit.end}`, edit)
    files.set(path, known)
  }
  return [...files].map(([path, known]) => ({ path, edits: joinRemovals([...known.values()]) }))
}
