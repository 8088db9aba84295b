import { type Navigation, editNavigation } from '../navigation/edit-navigation.ts'
import type { FrontMatterData } from '../pages/page.ts'
import type { Site } from '../site.ts'

/** The tree whose navigation is opened. */
interface NavigationView {
  site(): Promise<Site>
  oids(): ReadonlyMap<string, string>
  /** A file exactly as it is written. */
  configuration(path: string): Promise<string | undefined>
  eachFacts(
    paths: readonly string[],
  ): AsyncIterable<{ path: string; facts: { frontMatter: { data: FrontMatterData } } }>
}

/** Undefined where the navigation comes from the folders, or code computes all of it. @throws ToolError `unreadable` */
export async function openNavigation(view: NavigationView): Promise<Navigation | undefined> {
  const site = await view.site()
  const tree = await site.openTree?.({
    site,
    read: (path) => view.configuration(path),
    paths: new Set(view.oids().keys()),
    frontMatter: async () => {
      const dataOf = new Map<string, FrontMatterData>()
      for await (const { path, facts } of view.eachFacts(site.pages)) dataOf.set(path, facts.frontMatter.data)
      return dataOf
    },
  })
  return tree && editNavigation(tree, tree.addressOf ?? ((path) => site.pageFor(path)?.url ?? `/${path}`))
}

/** The groups of each page that the navigation names, outermost first, by the page's path. */
export function groupsOf(navigation: Navigation | undefined): ReadonlyMap<string, readonly string[]> {
  const groupsByPath = new Map<string, readonly string[]>()
  for (const { path, groups } of navigation?.entries ?? []) {
    if (path !== undefined && !groupsByPath.has(path)) groupsByPath.set(path, groups)
  }
  return groupsByPath
}
