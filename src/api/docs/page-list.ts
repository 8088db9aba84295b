import { listPages } from '../../features/docs/pages.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Reader } from '../../store/database.ts'
import { createLinks, type Links } from './page-links.ts'

export interface PageEntry {
  path: string
  url: string
  title: string
  language: string | undefined
  version: string | undefined
}

interface PageList {
  pages: PageEntry[]
  links: Links
}

const maximumProjects = 20

/** Keeps each project's list of pages until its pages change: every page shows it, and sites have thousands. */
export function createPageLists(db: Reader): (project: Project) => Promise<PageList> {
  const kept = new Map<string, PageList & { generation: number }>()
  return async (project) => {
    const known = kept.get(project.id)
    if (known?.generation === project.generation) return known
    const pages = (await listPages(db, project.id)).sort((one, other) => (one.url < other.url ? -1 : 1))
    const list = { generation: project.generation, pages, links: createLinks(pages, project.site) }
    kept.delete(project.id)
    kept.set(project.id, list)
    const oldest = kept.keys().next().value
    if (kept.size > maximumProjects && oldest !== undefined) kept.delete(oldest)
    return list
  }
}
