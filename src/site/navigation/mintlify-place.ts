import { ToolError } from '../../lib/tool-error.ts'
import { quote } from '../../lib/quote.ts'
import type { PageList, PageNode } from './mintlify-pages.ts'

interface Place {
  list: PageList
  /** The new entry goes behind the one with this index. */
  index: number
  /** An entry beside it, for the way they are written. */
  like: string | undefined
}

/** Where a new page's entry goes: behind a page, at the end of a group, or beside the pages of its folder. */
export function chooseMintlifyPlace(input: {
  pages: readonly PageNode[]
  lists: readonly PageList[]
  path: string
  group: string | undefined
  after: string | undefined
}): Place {
  const { pages, lists, path, group, after } = input
  const hints = { groups: groupNames(lists) }
  if (after !== undefined) {
    const named = pages.filter((page) => page.path === after && page.parent.type === 'array')
    const wanted =
      group === undefined ? named : named.filter((page) => sameName(listOf(lists, page)?.name, group))
    const place = placeBehind(lists, wanted[0] ?? named[0])
    if (place !== undefined) return place
    if (group === undefined)
      throw new ToolError('no_such_page', `The navigation has no page ${quote(after)}`, hints)
  }
  if (group !== undefined) {
    const list = lists.find((entry) => sameName(entry.name, group))
    if (list === undefined)
      throw new ToolError('no_such_group', `The navigation has no group ${quote(group)}`, hints)
    return atEnd(pages, list)
  }
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  // A page that several versions show is followed where it stands first, in the newest.
  const first = new Map(pages.toReversed().map((page) => [page.path, page]))
  const beside = pages.filter(
    (page) =>
      first.get(page.path) === page &&
      page.parent.type === 'array' &&
      page.path !== undefined &&
      folderOf(page.path) === folder,
  )
  const place = placeBehind(lists, beside.at(-1))
  if (place !== undefined) return place
  const [only] = lists
  if (only !== undefined && lists.length === 1) return atEnd(pages, only)
  throw new ToolError('group_needed', 'Say in which group of the navigation the page goes', hints)
}

export function groupNames(lists: readonly PageList[]): string[] {
  return [...new Set(lists.flatMap((list) => list.name ?? []))].slice(0, 100)
}

function atEnd(pages: readonly PageNode[], list: PageList): Place {
  const inside = pages.filter((page) => page.parent === list.list)
  return { list, index: (list.list.children?.length ?? 0) - 1, like: inside.at(-1)?.text ?? usual(pages) }
}

/** An entry written as most are. */
function usual(pages: readonly PageNode[]): string | undefined {
  const slashed = pages.filter((page) => page.text.startsWith('/'))
  return (slashed.length * 2 > pages.length ? slashed[0] : pages.find((page) => !page.text.startsWith('/')))
    ?.text
}

function placeBehind(lists: readonly PageList[], page: PageNode | undefined): Place | undefined {
  const list = page === undefined ? undefined : listOf(lists, page)
  if (page === undefined || list === undefined) return undefined
  return { list, index: list.list.children?.indexOf(page.node) ?? -1, like: page.text }
}

function listOf(lists: readonly PageList[], page: PageNode): PageList | undefined {
  return lists.find((list) => list.list === page.parent)
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

function sameName(one: string | undefined, other: string): boolean {
  return one?.trim().toLowerCase() === other.trim().toLowerCase()
}
