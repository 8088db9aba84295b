import { ToolError } from '../../lib/tool-error.ts'
import { quote } from '../../lib/text/quote.ts'
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
    // After a group's own page, the new entry is the first in the group.
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
  // Of a page in several groups, the first entry counts: of versions, that is the newest.
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

/** Labels of groups, with those above them where several groups have the same one. */
export function groupNames(lists: readonly PageList[]): string[] {
  const named = lists.map(labelsOf).filter((labels) => labels.length > 0)
  const counts = new Map<string, number>()
  for (const labels of named) counts.set(labels.at(-1) ?? '', (counts.get(labels.at(-1) ?? '') ?? 0) + 1)
  const names = named.map((labels) => {
    const own = labels.at(-1) ?? ''
    return (counts.get(own) ?? 0) > 1 ? labels.join(' > ') : own
  })
  return [...new Set(names)].slice(0, 100)
}

/** A group without a label is named by those above it; a sidebar without groups by its own name. */
function labelsOf({ names, key }: PageList): string[] {
  const labels = names.filter((name) => name.trim() !== '')
  return labels.length > 0 || key === undefined ? labels : [key]
}

/** An entry in the most common style. */
function usualEntry<Page extends TreePage>(entries: readonly { page: Page }[]): Page | undefined {
  const short = entries.filter(({ page }) => page.isShort)
  const usual =
    short.length * 2 >= entries.length ? (short[0] ?? entries[0]) : entries.find(({ page }) => !page.isShort)
  return usual?.page
}

/** Whether the page is the group's own: its link is beside the list in the same object. */
function isGroupOf({ holder, file, list: own }: TreePage, { container }: PageList): boolean {
  if (holder === undefined || own !== undefined || container.file !== file) return false
  return container.start > holder.container.start && container.end < holder.container.end
}

/** Of lists with the same name, the one whose pages are nearest to the new page. */
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

/** A group is named by its label alone, or with the labels above it: `Guides > Start`. */
function isNamed(list: PageList, group: string): boolean {
  const own = labelsOf(list)
  const above = list.key === undefined || own[0] === list.key ? [] : [list.key]
  const labels = [...above, ...own].map(plainName)
  const wanted = group.split('>').map(plainName)
  const ending = labels.slice(-wanted.length)
  const isEnding = ending.length === wanted.length && ending.every((name, index) => name === wanted[index])
  // A label may contain `>` itself.
  return isEnding || (own.length > 0 && labels.at(-1) === plainName(group))
}

function plainName(name: string): string {
  return name.trim().toLowerCase()
}
