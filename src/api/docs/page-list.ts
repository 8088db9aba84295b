import { readNavigation } from '../../features/docs/navigation.ts'
import { listPages, type ListedPage } from '../../features/docs/pages.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Reader } from '../../store/database.ts'
import { createNavigations, type NavigationOf, type PageEntry } from './navigation-groups.ts'
import { createLinks, type Links } from './page-links.ts'

export interface PageList {
  /** By address. */
  pages: PageEntry[]
  /** As the site's navigation shows them, the others behind those. */
  inOrder: PageEntry[]
  navigationOf: NavigationOf
  links: Links
}

export type PageLists = (project: Project) => Promise<PageList>

const maximumProjects = 20

/** Keeps each project's list of pages until its pages change: every page shows it, and sites have thousands. */
export function createPageLists(db: Reader): PageLists {
  const kept = new Map<string, PageList & { version: string }>()
  return async (project) => {
    const known = kept.get(project.id)
    const version = versionOf(project)
    if (known?.version === version) return known
    const navigation = await readNavigation(db, project.id)
    const places = new Map(navigation.map(({ path, groups }, place) => [path, { place, groups }]))
    const pages = (await listPages(db, project.id))
      .map((page) => ({ ...page, groups: groupsOf(page, places.get(page.path)?.groups) }))
      .sort((one, other) => (one.url < other.url ? -1 : 1))
    const placeOf = ({ path }: PageEntry): number => places.get(path)?.place ?? navigation.length
    const inOrder = pages.toSorted((one, other) => placeOf(one) - placeOf(other))
    const list = {
      version,
      pages,
      inOrder,
      navigationOf: createNavigations(inOrder),
      links: createLinks(pages, project.site),
    }
    kept.delete(project.id)
    kept.set(project.id, list)
    const oldest = kept.keys().next().value
    if (kept.size > maximumProjects && oldest !== undefined) kept.delete(oldest)
    return list
  }
}

/** Changes with the pages and with the navigation. */
export function versionOf({ generation, sync }: Project): string {
  return `${generation}-${sync.commit ?? ''}`
}

// Pages that the navigation does not name stand in the groups that their folders name.
function groupsOf({ url }: ListedPage, named: readonly string[] = []): readonly string[] {
  if (named.length > 0) return named
  const folders = url
    .split('/')
    .filter((part) => part !== '')
    .slice(0, -1)
  return folders.slice(0, 10).map((folder) => upperFirst(folder.replaceAll(/[-_]+/g, ' ')))
}

function upperFirst(text: string): string {
  const [first = ''] = text
  return `${first.toUpperCase()}${text.slice(first.length)}`
}
