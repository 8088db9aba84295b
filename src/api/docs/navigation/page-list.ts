import { readNavigation } from '../../../features/docs/navigation.ts'
import { listPages, type ListedPage } from '../../../features/docs/pages.ts'
import type { Project } from '../../../features/projects/projects.ts'
import { keepNewest } from '../../../lib/keep-newest.ts'
import type { Reader } from '../../../store/database.ts'
import { createLinks, type Links } from '../../render/page-links.ts'
import { createNavigations, type NavigationOf, type PageEntry } from './navigation-groups.ts'

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
  const kept = new Map<string, { version: string; list: Promise<PageList> }>()
  const build = async (project: Project): Promise<PageList> => {
    const navigation = await readNavigation(db, project.id)
    const places = new Map(navigation.map((entry, place) => [entry.path, { ...entry, place }]))
    const pages = (await listPages(db, project.id))
      .map((page) => {
        const { label = page.title, groups, isOutside = false } = places.get(page.path) ?? {}
        const isStart = isOutside && isHome(page)
        return {
          ...page,
          label,
          groups: isStart ? [] : groupsOf(page, groups),
          isOutside: isOutside && !isStart,
        }
      })
      .sort((one, other) => (one.url < other.url ? -1 : 1))
    const placeOf = (page: PageEntry): number => {
      const { place = navigation.length, isOutside = false } = places.get(page.path) ?? {}
      return isOutside && isHome(page) ? -1 : place
    }
    const inOrder = pages.toSorted((one, other) => placeOf(one) - placeOf(other))
    return {
      pages,
      inOrder,
      navigationOf: createNavigations(inOrder),
      links: createLinks(pages, project.settings.site),
    }
  }
  return (project) => {
    const version = versionOf(project)
    const known = kept.get(project.id)
    if (known?.version === version) return known.list
    // Those who come meanwhile wait for the same list.
    const entry = { version, list: build(project) }
    keepNewest(kept, maximumProjects, project.id, entry)
    entry.list.catch(() => {
      if (kept.get(project.id) === entry) kept.delete(project.id)
    })
    return entry.list
  }
}

/** Changes with the pages, with the navigation and with the address of the site, by which its own links are known. */
export function versionOf({ generation, sync, settings }: Project): string {
  return `${generation}-${sync.commit ?? ''}-${settings.site ?? ''}`
}

/** Whether reading starts at a page, although no navigation may name it. */
function isHome({ url, language }: ListedPage): boolean {
  return url === '/' || url === `/${language ?? ''}/`
}

// Pages that the navigation does not place stand in the groups that their folders name.
function groupsOf({ url }: ListedPage, named: readonly string[] | undefined): readonly string[] {
  if (named !== undefined) return named
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
