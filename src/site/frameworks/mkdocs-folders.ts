import { parse } from 'yaml'
import { isHostileYaml } from '../../lib/hostile-yaml.ts'
import { isRecord } from '../../lib/is-record.ts'
import { pluginOptions } from './mkdocs-plugins.ts'
import { folderOf } from '../text/paths.ts'
import type { ReadFile } from './site.ts'

const maxFiles = 300

/** Navigation that plugins read from a file in each folder: `.pages` of awesome-pages, `.nav.yml` of awesome-nav. */
export interface FolderNavigation {
  files: readonly string[]
  /** Whether the file of the page's folder leaves it out. */
  leavesOut(path: string): boolean
}

/** Undefined where the site has neither plugin. */
export async function folderNavigation(
  read: ReadFile,
  { paths, root, plugins }: { paths: ReadonlySet<string>; root: string; plugins: unknown },
): Promise<FolderNavigation | undefined> {
  const name = nameOf(plugins)
  if (name === undefined) return undefined
  const files = [...paths]
    .filter((path) => path.startsWith(root) && (path === `${root}${name}` || path.endsWith(`/${name}`)))
    .slice(0, maxFiles)
  const named = new Map<string, Set<string> | 'all'>()
  for (const file of files) {
    const names = namesIn((await read(file)) ?? '')
    if (names !== undefined) named.set(folderOf(file), names)
  }
  return {
    files,
    leavesOut: (path) => {
      const names = named.get(folderOf(path))
      return names !== undefined && names !== 'all' && !names.has(path.slice(folderOf(path).length))
    },
  }
}

function nameOf(plugins: unknown): string | undefined {
  for (const [plugin, usual] of [
    ['awesome-nav', '.nav.yml'],
    ['awesome-pages', '.pages'],
  ] as const) {
    const options = pluginOptions(plugins, plugin)
    if (options === undefined) continue
    const { filename } = options
    // The agent may write these files: a name of any other kind is none.
    return typeof filename === 'string' && /^\.?[\w-]{1,50}(?:\.ya?ml)?$/.test(filename) ? filename : usual
  }
  return undefined
}

/** `all` where the rest of the folder is part of it; undefined without a list. */
function namesIn(source: string): Set<string> | 'all' | undefined {
  const text = source.slice(0, 100_000)
  if (isHostileYaml(text)) return undefined
  let value: unknown
  try {
    value = parse(text, { logLevel: 'silent', uniqueKeys: false, maxAliasCount: 100 })
  } catch {
    return undefined
  }
  const list = isRecord(value) ? value['nav'] : undefined
  if (!isRecord(value) || !Array.isArray(list)) return undefined
  const names = new Set<string>()
  const visit = (entry: unknown, depth: number): void => {
    if (depth > 20) return
    if (typeof entry === 'string') names.add(entry.replace(/^\.\//, ''))
    else if (Array.isArray(entry)) for (const one of entry) visit(one, depth + 1)
    else if (isRecord(entry)) for (const one of Object.values(entry)) visit(one, depth + 1)
  }
  visit(list, 0)
  const isOpen = value['append_unmatched'] === true || [...names].some((name) => /^\.\.\.|\*/.test(name))
  return isOpen ? 'all' : names
}
