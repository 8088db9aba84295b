import type { NavigationPlace } from './navigation-tree.ts'

/** How a site lists the pages of its folders by itself. */
export interface FolderRules {
  /** Smaller numbers come first; pages and folders without one come last. */
  orderOf(path: string): number | undefined
  /** `path` ends with a slash; `name` is the folder's own. */
  folderAt(path: string, name: string): { label: string; order?: number | undefined }
  /** Whether a page is the folder's own, which its label then leads to. `isTop`: it is in the folder that is listed. */
  isOwn(path: string, isTop: boolean): boolean
  /** The order of those with the same number; without it, an index comes first and the others follow by name. */
  compare?: (left: FolderEntry, right: FolderEntry) => number
  /** Whether a folder is no group: its pages stand among those of the folder that it is in. */
  isOpen?: (path: string) => boolean
  /** A folder without a number stands where its first page would. */
  asFirstPage?: boolean
  /** Of those with the same number, pages come before folders. */
  pagesFirst?: boolean
  /** The language of pages that are listed apart from others in the same folders; those without one come first. */
  apart?: (path: string) => string | undefined
}

/** A page or a folder as it is compared with others beside it. */
export interface FolderEntry {
  name: string
  /** Its path, with a slash at the end for a folder. */
  path: string
}

interface Entry extends FolderEntry {
  order: number
  /** Undefined for a page. */
  inside: Map<string, Entry> | undefined
}

const mostGroups = 10

/** The pages of a folder in the site's order, with their places; `groups` are those that the folder itself stands in. */
export function arrangeFolder(
  paths: Iterable<string>,
  { base, groups }: { base: string; groups: readonly string[] },
  rules: FolderRules,
): Map<string, NavigationPlace> {
  if (rules.apart !== undefined) {
    const { apart, ...others } = rules
    const parts = [...Map.groupBy(paths, apart)].sort(([left = ''], [right = '']) => (left < right ? -1 : 1))
    return new Map(parts.flatMap(([, part]) => [...arrangeFolder(part, { base, groups }, others)]))
  }
  const top = new Map<string, Entry>()
  for (const path of paths) {
    if (!path.startsWith(base)) continue
    let inside = top
    let folder = base
    const parts = path.slice(base.length).split('/')
    for (const name of parts.slice(0, Math.min(parts.length - 1, mostGroups))) {
      folder = `${folder}${name}/`
      if (rules.isOpen?.(folder) === true) continue
      const known = inside.get(folder) ?? { name, path: folder, order: Infinity, inside: new Map() }
      inside.set(folder, known)
      inside = known.inside ?? inside
    }
    inside.set(path, { name: parts.at(-1) ?? '', path, order: Infinity, inside: undefined })
  }
  const places = new Map<string, NavigationPlace>()
  number(top, rules)
  list(places, top, { groups, isTop: true }, rules)
  return places
}

function number(entries: ReadonlyMap<string, Entry>, rules: FolderRules): void {
  for (const entry of entries.values()) {
    if (entry.inside === undefined) {
      entry.order = rules.orderOf(entry.path) ?? Infinity
      continue
    }
    number(entry.inside, rules)
    const orders = [...entry.inside.values()]
    const own = orders.find(({ path, inside }) => inside === undefined && rules.isOwn(path, false))
    const first = rules.asFirstPage === true ? Math.min(...orders.map(({ order }) => order)) : undefined
    entry.order = rules.folderAt(entry.path, entry.name).order ?? own?.order ?? first ?? Infinity
  }
}

function list(
  found: Map<string, NavigationPlace>,
  entries: ReadonlyMap<string, Entry>,
  { groups, isTop }: { groups: readonly string[]; isTop: boolean },
  rules: FolderRules,
): void {
  const rank = ({ name, path, inside }: Entry): number => {
    if (inside !== undefined) return rules.pagesFirst === true ? 3 : 2
    if (rules.isOwn(path, isTop)) return 0
    return rules.compare === undefined && /^(?:index|readme)\.[^.]+$/i.test(name) ? 1 : 2
  }
  const sorted = [...entries.values()].sort((left, right) => {
    const [own, other] = [rank(left), rank(right)]
    // The folder's own page stands at its label, whatever its number is.
    if ((own === 0) !== (other === 0)) return own - other
    if (left.order !== right.order) return left.order < right.order ? -1 : 1
    return own - other || (rules.compare?.(left, right) ?? names.compare(left.name, right.name))
  })
  for (const { path, name, inside } of sorted) {
    if (inside === undefined)
      found.set(path, {
        label: groups.length > 0 && rules.isOwn(path, isTop) ? groups.at(-1) : undefined,
        groups,
      })
    else list(found, inside, { groups: [...groups, rules.folderAt(path, name).label], isTop: false }, rules)
  }
}

/** By the numbers of their characters, as most programs sort the names of files. */
export function byCharacters(left: FolderEntry, right: FolderEntry): number {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0
}

const names = new Intl.Collator('en', { numeric: true })

/** `Get started` for `get-started` and `01_get_started`. */
export function folderWords(name: string): string {
  const words = name
    .replace(/^\d+[-_. ]+(?=\D)/, '')
    .replace(/[-_]+/g, ' ')
    .trim()
  return words === '' ? name : `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** A number of front matter or of a file beside the pages. */
export function orderIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
