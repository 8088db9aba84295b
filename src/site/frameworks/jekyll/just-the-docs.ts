import { orderIn } from '../../navigation/arrange-folders.ts'
import type { NavigationPlace } from '../../navigation/navigation-tree.ts'
import type { FrontMatterData } from '../../pages/page.ts'
import { textAt } from '../settings.ts'

/** What of front matter makes the navigation of the theme. */
export const treeFields = [
  'title',
  'parent',
  'grand_parent',
  'ancestor',
  'nav_order',
  'nav_exclude',
  'child_nav_order',
]

interface Entry {
  path: string
  title: string
  data: FrontMatterData
}

const maxDepth = 10

/** The navigation of the theme just-the-docs: pages name the title of the page that they stand below. */
export function justTheDocsPlaces(
  paths: readonly string[],
  dataOf: (path: string) => FrontMatterData,
  { ignoresCase }: { ignoresCase: boolean },
): Map<string, NavigationPlace> {
  const entries = paths.flatMap((path): Entry[] => {
    const data = dataOf(path)
    return isShown(data) ? [{ path, data, title: titleOf(data) ?? '' }] : []
  })
  const compare = byOrderAndTitle(ignoresCase)
  const below = Map.groupBy(entries, ({ data }) => textAt(data, 'parent') ?? '')
  const places = new Map<string, NavigationPlace>()
  const list = (siblings: readonly Entry[], above: readonly string[]): void => {
    for (const { path, title, data } of siblings) {
      if (places.has(path)) continue
      const children = (title === '' ? [] : (below.get(title) ?? [])).filter((child) =>
        belongs(child.data, [...above, title]),
      )
      const groups = children.length === 0 ? above : [...above, title]
      places.set(path, { label: title, groups })
      if (above.length >= maxDepth || above.includes(title)) continue
      const sorted = children.sort(compare)
      list(/^(?:desc|reversed)$/.test(textAt(data, 'child_nav_order') ?? '') ? sorted.reverse() : sorted, groups)
    }
  }
  list((below.get('') ?? []).sort(compare), [])
  return places
}

/** Whether the theme lists a page: it needs a title. */
export function isShown(data: FrontMatterData): boolean {
  return data['nav_exclude'] !== true && titleOf(data) !== undefined
}

function titleOf({ title }: FrontMatterData): string | undefined {
  return typeof title === 'number' ? String(title) : typeof title === 'string' ? title : undefined
}

/** Whether a page that names the title of another one means that one, where several have it. */
function belongs(data: FrontMatterData, titles: readonly string[]): boolean {
  const [grandParent, ancestor] = [textAt(data, 'grand_parent'), textAt(data, 'ancestor')]
  return (
    (grandParent === undefined || titles.at(-2) === grandParent) &&
    (ancestor === undefined || titles.includes(ancestor))
  )
}

/** Those with a number first, then those with a text for it, then the others by title. */
function byOrderAndTitle(ignoresCase: boolean): (left: Entry, right: Entry) => number {
  const folded = (text: string) => (ignoresCase ? text.toLowerCase() : text)
  const keyOf = ({ data, title }: Entry): [rank: number, number: number, text: string] => {
    const order = data['nav_order']
    if (typeof order === 'string') return [1, 0, folded(order)]
    const number = orderIn(order)
    if (number !== undefined) return [0, number, '']
    return typeof data['title'] === 'number' ? [2, data['title'], ''] : [3, 0, folded(title)]
  }
  return (left, right) => {
    const [one, other] = [keyOf(left), keyOf(right)]
    return one[0] - other[0] || one[1] - other[1] || (one[2] < other[2] ? -1 : one[2] > other[2] ? 1 : 0)
  }
}
