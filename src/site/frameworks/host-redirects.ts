import { parse } from 'smol-toml'
import type { ReadFile } from '../files.ts'
import { isRecord } from '../../lib/is-record.ts'
import { hostRedirects } from '../navigation/host-redirects.ts'
import type { NavigationTree, PageList, RedirectList, TreePage } from '../navigation/navigation-tree.ts'
import type { Framework, NavigationSource } from '../site.ts'
import { folderOf, joinPath } from '../text/paths.ts'
import { readJsonConfig } from './mintlify/json-config.ts'
import { jsonRedirects } from './mintlify/redirects.ts'

/** The redirects that the host of a site keeps, in a file of the repository. */
export interface HostRedirects {
  path: string
  /** From address to address. */
  redirects: ReadonlyMap<string, string>
}

const names = ['_redirects', 'netlify.toml', 'vercel.json']

/** The file in which the host of a site reads redirects; undefined where the repository has none. */
export async function findHostRedirects(
  read: ReadFile,
  framework: Framework,
  paths: ReadonlySet<string>,
): Promise<HostRedirects | undefined> {
  const bases = [framework.root, ...framework.configPaths.filter((path) => paths.has(path)).map(folderOf)]
  const folders = [...framework.links.assetRoots, ...bases.flatMap(foldersAbove)]
  const candidates = names.flatMap((name) => [...new Set(folders)].map((folder) => `${folder}${name}`))
  for (const path of candidates) {
    if (!paths.has(path) || !(await isOfSite(read, path, bases))) continue
    const list = await openRedirects(read, path, framework).catch(() => undefined)
    if (list === undefined) continue
    const redirects = new Map(
      list.entries.flatMap(({ from, to }) => (from.startsWith('/') ? [[from, to ?? from] as const] : [])),
    )
    return { path, redirects }
  }
  return undefined
}

/** The folders that hold this one, it first. */
function foldersAbove(folder: string): string[] {
  const above: string[] = [folder]
  for (let at = folder; at !== '';) {
    at = folderOf(at.slice(0, -1))
    above.push(at)
  }
  return above
}

/** Whether the build that a configuration of Netlify or Vercel publishes is of this site. */
async function isOfSite(read: ReadFile, path: string, bases: readonly string[]): Promise<boolean> {
  if (path.endsWith('/_redirects') || path === '_redirects') return true
  const text = (await read(path)) ?? ''
  const published = publishedFolder(path, text)
  return published === undefined || bases.some((base) => `${published}/`.startsWith(base))
}

function publishedFolder(path: string, text: string): string | undefined {
  try {
    const data: unknown = path.endsWith('.toml') ? parse(text) : JSON.parse(text)
    if (!isRecord(data)) return undefined
    const build = isRecord(data['build']) ? data['build'] : data
    const named = (key: string): string => (typeof build[key] === 'string' ? build[key] : '')
    const inside = [named('base'), named('publish') || named('outputDirectory')].filter((part) => part !== '')
    return inside.length === 0 ? undefined : joinPath(folderOf(path), inside.join('/'))
  } catch {
    return undefined
  }
}

async function openRedirects(
  read: ReadFile,
  path: string,
  framework: Framework,
): Promise<RedirectList | undefined> {
  const [prefix = ''] = framework.links.prefixes
  const text = await read(path)
  if (text === undefined) return undefined
  if (!path.endsWith('.json')) return hostRedirects({ path, text }, prefix)
  const config = await readJsonConfig(read, path)
  if (config.main === undefined || config.broken.length > 0) return undefined
  return jsonRedirects(config, config.main.file, {
    prefix,
    known: ['source', 'destination', 'permanent', 'statusCode'],
  })
}

/** The navigation of a site that keeps no redirects of its own, with those of its host. */
export function withHostRedirects(
  framework: Framework,
  host: HostRedirects,
): Required<Framework>['openTree'] {
  return async (source: NavigationSource) => {
    const tree = await framework.openTree?.(source)
    if (tree?.redirects !== undefined) return tree
    const redirects = await openRedirects(source.read, host.path, framework)
    if (tree !== undefined) return { ...tree, redirects }
    return redirects === undefined ? undefined : { ...noNavigation, redirects }
  }
}

const noNavigation: NavigationTree<TreePage, PageList> = {
  pages: [],
  lists: [],
  redirects: undefined,
  scopeOf: () =>
    'This site makes its navigation from its folders or from the front matter of its pages, or computes it in code: nothing to edit',
  rename: () => undefined,
  entry: () => () => '',
  addressKey: (url) => url,
}
