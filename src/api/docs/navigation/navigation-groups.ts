import type { ListedPage } from '../../../features/docs/pages.ts'

export interface PageEntry extends ListedPage {
  /** The groups of the navigation that it stands in, outermost first, or else the folders. */
  groups: readonly string[]
  /** Its title in the navigation. */
  label: string
  /** Whether only the list of all pages has it. */
  isOutside: boolean
}

/** A group of the navigation: pages and groups in the site's order. */
export interface NavigationGroup {
  name: string
  items: (PageEntry | NavigationGroup)[]
  /** The page that its name leads to. */
  own: PageEntry | undefined
  /** The first page in it, at any depth. */
  first: PageEntry
  count: number
}

/** What a reader of one language and version sees. */
export interface SiteNavigation {
  items: (PageEntry | NavigationGroup)[]
  /** The same pages, as a list. */
  pages: readonly PageEntry[]
  /** How many outer groups hold all pages, and are therefore left out. */
  skipped: number
}

export type NavigationOf = (like: Pick<PageEntry, 'language' | 'version'> | undefined) => SiteNavigation

/** Groups the pages of each language and version when they are first asked for. */
export function createNavigations(inOrder: readonly PageEntry[]): NavigationOf {
  const known = new Map<string, SiteNavigation>()
  return (like) => {
    const key = like === undefined ? '' : JSON.stringify([like.language, like.version])
    const navigation =
      known.get(key) ??
      group(inOrder.filter((page) => !page.isOutside && (like === undefined || isAlike(page, like))))
    known.set(key, navigation)
    return navigation
  }
}

function isAlike(one: Labels, other: Labels): boolean {
  return one.language === other.language && one.version === other.version
}

type Labels = Pick<PageEntry, 'language' | 'version'>

function group(pages: readonly PageEntry[]): SiteNavigation {
  const skipped = sharedGroups(pages)
  const items: SiteNavigation['items'] = []
  const groups = new Map<string, NavigationGroup>()
  for (const page of pages) {
    let siblings = items
    let inner: NavigationGroup | undefined
    const names = page.groups.slice(skipped)
    for (const [depth, name] of names.entries()) {
      const key = JSON.stringify(names.slice(0, depth + 1))
      let holder = groups.get(key)
      if (!holder) {
        const before = siblings.at(-1)
        // `Guides`, followed by what is below it: the page is the group's own.
        const own = before !== undefined && 'url' in before && before.label === name ? before : undefined
        if (own) siblings.pop()
        holder = { name, items: [], own, first: own ?? page, count: own ? 1 : 0 }
        groups.set(key, holder)
        siblings.push(holder)
      }
      holder.count++
      siblings = holder.items
      inner = holder
    }
    if (inner && inner.own === undefined && inner.name === page.label && inner.first === page)
      inner.own = page
    else siblings.push(page)
  }
  return { items, pages, skipped }
}

/** How many outer groups all pages have in common, such as the name of a language. */
function sharedGroups([first, ...others]: readonly PageEntry[]): number {
  let shared = first?.groups.length ?? 0
  for (const { groups } of others) {
    let same = 0
    while (same < shared && groups[same] === first?.groups[same]) same++
    shared = same
  }
  return others.length === 0 ? 0 : shared
}
