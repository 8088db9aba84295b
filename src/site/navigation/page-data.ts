import type { SiteView } from '../checks/site-view.ts'

type PageData = ReadonlyMap<string, Readonly<Record<string, unknown>>>

/** Gives the front matter of pages, which may say what navigation calls them. */
export type ReadPageData = (paths: readonly string[]) => Promise<PageData>

export function readPageData(view: SiteView): ReadPageData {
  return async (paths) => {
    const found = new Map<string, Readonly<Record<string, unknown>>>()
    for await (const { path, facts } of view.eachFacts(paths)) found.set(path, facts.frontMatter.data)
    return found
  }
}
