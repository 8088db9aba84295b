import type { SiteView } from '../checks/site-view.ts'
import { type PageData, codeTree } from '../code-config/code-tree.ts'
import { type Navigation, editNavigation } from '../navigation/edit-navigation.ts'
import { mintlifyTree } from './mintlify/navigation.ts'
import { mkdocsTree } from './mkdocs/navigation.ts'

/** Undefined where the navigation comes from the folders, or code computes all of it. @throws ToolError `unreadable` */
export async function openNavigation(
  view: Pick<SiteView, 'site' | 'oids' | 'configuration' | 'eachFacts'>,
): Promise<Navigation | undefined> {
  const site = await view.site()
  const paths = new Set(view.oids().keys())
  const read = (path: string) => view.configuration(path)
  const { code, root, framework, configPaths, openTree } = site
  const addressOf = (path: string) => site.pageFor(path)?.url ?? `/${path}`
  if (code !== undefined) {
    const data = code.framework === 'vitepress' ? noData : await frontMatterOf(view, site.pages)
    const found = await codeTree(read, { site, code, paths, data })
    return found && editNavigation(found.tree, found.urlOf)
  }
  if (openTree !== undefined) {
    const tree = await openTree(read)
    return tree && editNavigation(tree, addressOf)
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

const noData: PageData = new Map()

/** Front matter sets ids and addresses everywhere but in VitePress. */
async function frontMatterOf(view: Pick<SiteView, 'eachFacts'>, paths: readonly string[]): Promise<PageData> {
  const found = new Map<string, Readonly<Record<string, unknown>>>()
  for await (const { path, facts } of view.eachFacts(paths)) found.set(path, facts.frontMatter.data)
  return found
}

/** The groups of each page that the navigation names, outermost first, by the page's path. */
export function groupsOf(navigation: Navigation | undefined): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const { path, groups } of navigation?.entries ?? []) {
    if (path !== undefined && !found.has(path)) found.set(path, groups)
  }
  return found
}
