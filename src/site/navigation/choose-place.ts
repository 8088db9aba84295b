import { ToolError } from '../../lib/tool-error.ts'
import { quote } from '../../lib/quote.ts'
import { folderOf } from '../text/paths.ts'
import type { PageList, Place, Scope, TreePage } from './navigation-tree.ts'

/** Where a new page's entry goes: behind a page, at the end of a group, or beside the pages of its folder. */
export function choosePlace<Page extends TreePage<List>, List extends PageList>(
  { pages, lists, usual }: Scope<Page, List>,
  { path, group, after }: { path: string; group: string | undefined; after: string | undefined },
): Place<Page, List> {
  const hints = { groups: groupNames(lists) }
  const entries = pages.flatMap((page) => (page.list === undefined ? [] : [{ page, list: page.list }]))
  const behind = ({ page, list }: (typeof entries)[number]) => ({
    list,
    after: page.holder?.child,
    like: page,
  })
  const atEnd = (list: List) => {
    const near = entries.filter((entry) => entry.list.container.file === list.container.file)
    const inside = entries.findLast((entry) => entry.list === list)?.page
    return { list, after: undefined, like: inside ?? usualEntry(near) ?? usualEntry(entries) }
  }
  if (after !== undefined) {
    const named = entries.filter(({ page }) => page.path === after)
    const entry = named.find(({ list }) => group !== undefined && isNamed(list, group)) ?? named[0]
    if (entry !== undefined) return behind(entry)
    // Behind a group's own page is the first place in the group.
    const own = pages.find((page) => page.path === after && page.holder !== undefined)
    const list = own && lists.find((one) => isGroupOf(own, one))
    if (list !== undefined) {
      const first = entries.find((one) => one.list === list)?.page
      return { list, after: 'nothing', like: first ?? atEnd(list).like }
    }
    if (group === undefined)
      throw new ToolError('no_such_page', `The navigation has no page ${quote(after)}`, hints)
  }
  if (group !== undefined) {
    const named = lists.filter((list) => isNamed(list, group)).slice(0, 200)
    const [found] = named
    if (found === undefined)
      throw new ToolError('no_such_group', `The navigation has no group ${quote(group)}`, hints)
    return atEnd(named.length === 1 ? found : nearest(named, entries, path))
  }
  // A page that several groups show is followed where it stands first: of versions, that is the newest.
  const first = new Map(entries.toReversed().map((entry) => [entry.page.path, entry]))
  const folder = folderOf(path)
  const last = entries.findLast((entry) => {
    const named = entry.page.path
    return named !== undefined && folderOf(named) === folder && first.get(named) === entry
  })
  if (usual !== undefined) return atEnd(usual)
  if (last !== undefined) return behind(last)
  const [only] = lists
  if (only !== undefined && lists.length === 1) return atEnd(only)
  throw new ToolError('group_needed', 'Say in which group of the navigation the page goes', hints)
}

/** Labels, with those above where one is not enough to tell groups apart. */
export function groupNames(lists: readonly PageList[]): string[] {
  const counts = new Map<string, number>()
  const names = lists.flatMap(({ names, key }) =>
    names.length > 0 ? [names] : key === undefined ? [] : [[key]],
  )
  const ownName = (name: readonly string[]) => name.at(-1) ?? ''
  for (const name of names) counts.set(ownName(name), (counts.get(ownName(name)) ?? 0) + 1)
  const told = names.map((name) => ((counts.get(ownName(name)) ?? 0) > 1 ? name.join(' > ') : ownName(name)))
  return [...new Set(told)].slice(0, 100)
}

/** An entry written as most are. */
function usualEntry<Page extends TreePage>(entries: readonly { page: Page }[]): Page | undefined {
  const short = entries.filter(({ page }) => page.isShort)
  const found =
    short.length * 2 >= entries.length ? (short[0] ?? entries[0]) : entries.find(({ page }) => !page.isShort)
  return found?.page
}

/** Whether the page is the group's own one, which stands beside the list in the same object. */
function isGroupOf({ holder, file, list: own }: TreePage, { container }: PageList): boolean {
  if (holder === undefined || own !== undefined || container.file !== file) return false
  return container.start > holder.container.start && container.end < holder.container.end
}

/** Of lists with the same name the one whose pages are nearest to the new one. */
function nearest<List extends PageList>(
  lists: readonly List[],
  entries: readonly { page: TreePage; list: List }[],
  path: string,
): List {
  const scores = new Map<List, number>()
  for (const { page, list } of entries)
    if (page.path !== undefined) scores.set(list, Math.max(scores.get(list) ?? 0, shared(page.path, path)))
  const scoreOf = (list: List) => scores.get(list) ?? 0
  return lists.reduce((best, list) => (scoreOf(list) > scoreOf(best) ? list : best))
}

function shared(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')]
  let count = 0
  while (count < a.length && a[count] === b[count]) count++
  return count
}

/** A group is named by its label, or by that and the labels above it: `Guides > Start`. */
function isNamed({ names: labels, key }: PageList, group: string): boolean {
  const wanted = group.split('>').map(plainName)
  const names = [...(key === undefined ? [] : [key]), ...labels].map(plainName)
  const ending = names.slice(-wanted.length)
  const isEnding = ending.length === wanted.length && ending.every((name, index) => name === wanted[index])
  // A label may hold the sign itself.
  return (names.length > 0 && isEnding) || names.at(-1) === plainName(group)
}

function plainName(name: string): string {
  return name.trim().toLowerCase()
}
