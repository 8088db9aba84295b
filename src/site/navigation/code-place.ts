import type { AnyNode } from 'acorn'
import { ToolError } from '../../lib/tool-error.ts'
import { quote } from '../../lib/quote.ts'
import type { NamedPage, PageList } from '../code-config/sidebar.ts'

/** A page that the code names, with its file and the sidebar that it is of. */
export interface CodePage extends NamedPage {
  /** Undefined when no file is there. */
  path: string | undefined
}

interface Place {
  list: PageList
  /** What the new entry goes behind; undefined for the list's end. */
  after: AnyNode | 'nothing' | undefined
  /** An entry written as the new one is to be. */
  like: CodePage | undefined
}

/** Where a new page's entry goes: behind a page, at the end of a group, or beside the pages of its folder. */
export function chooseCodePlace(input: {
  pages: readonly CodePage[]
  lists: readonly PageList[]
  path: string
  group: string | undefined
  after: string | undefined
}): Place {
  const { pages, lists, path, group, after } = input
  const hints = { groups: groupNames(lists) }
  if (after !== undefined) {
    const named = pages.filter((page) => page.path === after && page.list !== undefined)
    const inGroup = group === undefined ? named : named.filter(({ list }) => list && isNamed(list, group))
    const page = inGroup[0] ?? named[0]
    if (page?.list !== undefined) return behind(page, page.list)
    const own = pages.find((one) => one.path === after && one.holder !== undefined && one.list === undefined)
    const inside = own && lists.find((list) => isGroupOf(own, list))
    // Behind a group's own page is the first place in the group.
    if (inside !== undefined) {
      const first = pages.find((page) => page.list === inside)
      return { list: inside, after: 'nothing', like: first ?? atEnd(inside, pages).like }
    }
    if (group === undefined)
      throw new ToolError('no_such_page', `The navigation has no page ${quote(after)}`, hints)
  }
  if (group !== undefined) {
    const found = nearest(lists.filter((list) => isNamed(list, group)).slice(0, 200), pages, path)
    if (found === undefined)
      throw new ToolError('no_such_group', `The navigation has no group ${quote(group)}`, hints)
    return atEnd(found, pages)
  }
  const folder = folderOf(path)
  const beside = pages
    .filter((page) => page.path !== undefined && page.list !== undefined && folderOf(page.path) === folder)
    .at(-1)
  if (beside?.list !== undefined) return behind(beside, beside.list)
  const [only] = lists
  if (only !== undefined && lists.length === 1) return atEnd(only, pages)
  throw new ToolError('group_needed', 'Say in which group of the navigation the page goes', hints)
}

/** Labels, with those above where one is not enough to tell groups apart. */
export function groupNames(lists: readonly PageList[]): string[] {
  const counts = new Map<string, number>()
  const names = lists.flatMap((list) =>
    list.names.length > 0 ? [list.names] : list.key === undefined ? [] : [[list.key]],
  )
  for (const name of names) counts.set(name.at(-1) ?? '', (counts.get(name.at(-1) ?? '') ?? 0) + 1)
  return [
    ...new Set(
      names.map((name) =>
        (counts.get(name.at(-1) ?? '') ?? 0) > 1 ? name.join(' > ') : (name.at(-1) ?? ''),
      ),
    ),
  ].slice(0, 100)
}

function behind(page: CodePage, list: PageList): Place {
  return { list, after: page.holder?.child, like: page }
}

function atEnd(list: PageList, pages: readonly CodePage[]): Place {
  const inside = pages.filter((page) => page.list === list)
  const near = pages.filter((page) => page.list?.script === list.script)
  return { list, after: undefined, like: inside.at(-1) ?? usual(near) ?? usual(pages) }
}

/** An entry written as most are. */
function usual(pages: readonly CodePage[]): CodePage | undefined {
  const entries = pages.filter((page) => page.list !== undefined)
  const plain = entries.filter(isPlain)
  return plain.length * 2 >= entries.length
    ? (plain[0] ?? entries[0])
    : entries.find((page) => !isPlain(page))
}

function isGroupOf({ holder, script }: CodePage, list: PageList): boolean {
  if (holder === undefined || list.script !== script) return false
  const group = holder.parent
  return list.node.start > group.start && list.node.end < group.end
}

/** A text alone, not an object. */
export function isPlain({ holder, node }: NamedPage): boolean {
  return holder?.child === node
}

/** Of lists with the same name the one whose pages are nearest to the new one. */
function nearest(lists: readonly PageList[], pages: readonly CodePage[], path: string): PageList | undefined {
  const score = (list: PageList) =>
    Math.max(
      0,
      ...pages.flatMap((page) =>
        page.path !== undefined && page.list === list ? [shared(page.path, path)] : [],
      ),
    )
  return [...lists].sort((one, other) => score(other) - score(one))[0]
}

function shared(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')]
  let count = 0
  while (count < a.length && a[count] === b[count]) count++
  return count
}

function isNamed(list: PageList, group: string): boolean {
  const wanted = group.split('>').map(plainName)
  const names = [...(list.key === undefined ? [] : [list.key]), ...list.names].map(plainName)
  const own = list.names.length === 0 ? names : names.slice(-list.names.length)
  const ending = names.slice(-wanted.length)
  if (
    own.length > 0 &&
    ending.length === wanted.length &&
    ending.every((name, index) => name === wanted[index])
  )
    return true
  // A label may hold the sign itself.
  return names.at(-1) === plainName(group)
}

function plainName(name: string): string {
  return name.trim().toLowerCase()
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}
