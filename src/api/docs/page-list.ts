import { readNavigation } from '../../features/docs/navigation.ts'
import { listPages, type ListedPage } from '../../features/docs/pages.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Reader } from '../../store/database.ts'
import { createLinks, type Links } from './page-links.ts'

export interface PageEntry extends ListedPage {
  /** The group of the navigation that it stands in, or else the folder. */
  group: string | undefined
}

export interface PageList {
  /** By address. */
  pages: PageEntry[]
  /** As the site's navigation shows them, the others behind those. */
  inOrder: PageEntry[]
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
    const places = new Map(navigation.map(({ path, group }, place) => [path, { place, group }]))
    const pages = (await listPages(db, project.id))
      .map((page) => ({ ...page, group: places.get(page.path)?.group ?? folderOf(page.url) }))
      .sort((one, other) => (one.url < other.url ? -1 : 1))
    const placeOf = ({ path }: PageEntry): number => places.get(path)?.place ?? navigation.length
    const list = {
      version,
      pages,
      inOrder: pages.toSorted((one, other) => placeOf(one) - placeOf(other)),
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

/** The name of the folder that the page is in, in words. */
export function folderOf(url: string): string | undefined {
  const parts = url.split('/').filter((part) => part !== '')
  return parts.length > 1 ? parts.at(-2)?.replaceAll(/[-_]+/g, ' ') : undefined
}
