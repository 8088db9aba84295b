import { createSite } from '../../src/site/frameworks/create-site.ts'
import type { Site } from '../../src/site/site.ts'

export type Files = Record<string, string>

/** The site of a repository that holds these files, for tests. */
export function siteOf(files: Files, root = ''): Promise<Site> {
  return createSite(async (path) => files[path], { paths: Object.keys(files), root })
}

export function emptyFiles(...paths: string[]): Files {
  return Object.fromEntries(paths.map((path) => [path, '']))
}
