import type { ReadFile } from '../files.ts'
import type { SiteView } from '../checks/site-view.ts'
import type { Site } from '../frameworks/site.ts'
import { type ReadPageData, codeTree } from './code-tree.ts'
import { type Navigation, editNavigation } from './edit-navigation.ts'
import { mintlifyTree } from './mintlify-tree.ts'
import { mkdocsTree } from './mkdocs-tree.ts'

/** Undefined where the framework derives its navigation from files, or code makes all of it. */
export async function openNavigation(
  read: ReadFile,
  { site, paths, pageData }: { site: Site; paths: ReadonlySet<string>; pageData?: ReadPageData },
): Promise<Navigation | undefined> {
  const { code, root, framework, configPaths } = site
  const addressOf = (path: string) => site.pageFor(path)?.url ?? `/${path}`
  if (code !== undefined) {
    const found = await codeTree(read, { site, code, paths, pageData })
    return found && editNavigation(found.tree, found.urlOf)
  }
  const [config] = configPaths
  if (config === undefined) return undefined
  if (framework === 'mintlify') {
    const tree = await mintlifyTree(read, { config, root, paths })
    return tree && editNavigation(tree, addressOf)
  }
  if (framework !== 'mkdocs') return undefined
  const isFolderFile = (path: string) => path.startsWith(root) && !/(?:^|\/)mkdocs\.ya?ml$/.test(path)
  const tree = await mkdocsTree(read, { config, folderFiles: configPaths.filter(isFolderFile), root, paths })
  return tree && editNavigation(tree, addressOf)
}

/** The group of each page that the navigation names, by the page's path. */
export function groupOf(navigation: Navigation | undefined): ReadonlyMap<string, string> {
  const groups = new Map<string, string>()
  for (const { path, group } of navigation?.entries ?? []) {
    if (path !== undefined && group !== undefined && !groups.has(path)) groups.set(path, group)
  }
  return groups
}

export function readPageData(view: SiteView): ReadPageData {
  return async (paths) => {
    const found = new Map<string, Readonly<Record<string, unknown>>>()
    for await (const { path, facts } of view.eachFacts(paths)) found.set(path, facts.frontMatter.data)
    return found
  }
}
