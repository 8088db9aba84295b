import type { ReadFile } from '../files.ts'
import { createSite } from './create-site.ts'
import { detectFrameworks } from './detect.ts'

/** A folder of the repository, `''` for all of it, and how many pages it would have as a content folder. */
export interface PageFolder {
  folder: string
  pages: number
}

/** The sites of a repository by their folders, the one first that is read without a content folder; empty where there is only one. */
export async function listSites(read: ReadFile, paths: Iterable<string>): Promise<PageFolder[]> {
  const all = new Set(paths)
  const frameworks = await detectFrameworks(read, { paths: all, root: '', dataOf: () => ({}) })
  if (frameworks.length < 2) return []
  const sites: PageFolder[] = []
  for (const { root } of frameworks) {
    const folder = root.replace(/\/$/, '')
    const { pages } = await createSite(read, { paths: all, root: folder })
    // A configuration with one page, such as that of a package, is no site that somebody looks for.
    if (pages.length > 1) sites.push({ folder, pages: pages.length })
  }
  return sites.length < 2 ? [] : sites.slice(0, mostSites)
}

const mostSites = 5
