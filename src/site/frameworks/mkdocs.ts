import { parse } from 'yaml'
import { isHostileYaml } from '../../lib/hostile-yaml.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { SlugStyle } from '../pages/slug.ts'
import { ignorePatterns } from './made-files.ts'
import { folderNavigation } from './mkdocs-folders.ts'
import { mkdocsLanguages, pluginOptions } from './mkdocs-plugins.ts'
import { folderPath, isMarkdown, leadsElsewhere, withoutExtension } from '../links/page-path.ts'
import { folderOf, joinPath } from '../text/paths.ts'
import type { Framework, ReadFile } from './site.ts'

/** MkDocs, found by `mkdocs.yml`. */
export async function mkdocsSite(
  read: ReadFile,
  input: { paths: ReadonlySet<string>; base: string; config: string },
): Promise<Framework> {
  const { paths, base } = input
  const { settings, configPaths } = await readConfig(read, input.config)
  const docsFolder = typeof settings['docs_dir'] === 'string' ? settings['docs_dir'] : 'docs'
  const root = folderPath(joinPath(base, docsFolder) ?? `${base}docs`)
  const directories = settings['use_directory_urls'] !== false
  const navigation = new Map<string, string | undefined>()
  const languages = mkdocsLanguages(settings['plugins'])
  readNavigation(settings['nav'], root, navigation, 0)
  const listed = navigation.size > 0
  const folders = await folderNavigation(read, { paths, root, plugins: settings['plugins'] })
  const excluded =
    typeof settings['exclude_docs'] === 'string' ? ignorePatterns(settings['exclude_docs']) : () => false
  const redirects = new Map<string, string>()
  const urlOf = (inside: string) => {
    const bare = withoutExtension(inside)
    const isIndex = /(?:^|\/)(?:index|README)$/.test(bare)
    if (isIndex) return `/${bare.replace(/(?:index|README)$/, '')}${directories ? '' : 'index.html'}`
    return directories ? `/${bare}/` : `/${bare}.html`
  }
  const maps = pluginOptions(settings['plugins'], 'redirects')?.['redirect_maps']
  if (isRecord(maps)) {
    for (const [from, to] of Object.entries(maps)) {
      if (typeof to === 'string') redirects.set(urlOf(from), /^https?:/.test(to) ? to : withHash(to, urlOf))
    }
  }
  const hasBlog = pluginOptions(settings['plugins'], 'blog') !== undefined
  const slugs = slugStyle(settings['markdown_extensions'])
  return {
    name: 'mkdocs',
    root,
    configPaths: [...configPaths, ...(folders?.files ?? [])],
    navigation,
    redirects,
    dialectOf: () => ({ mdx: false, slugs }),
    pageFor: (path, data) => {
      if (!isMarkdown(path, root) || path.endsWith('.mdx')) return undefined
      const inside = path.slice(root.length)
      if (excluded(inside) || inside.startsWith('templates/')) return undefined
      // MkDocs prefers index.md to README.md in the same folder and drops the other.
      if (inside.endsWith('README.md') && paths.has(`${folderOf(path)}index.md`)) return undefined
      const placed = languages?.place(inside) ?? { inside, language: undefined, prefix: '' }
      const search = isRecord(data['search']) ? data['search'] : {}
      return {
        url: `${placed.prefix}${urlOf(placed.inside)}`,
        language: placed.language,
        version: undefined,
        navTitle: navigation.get(path) ?? navigation.get(`${root}${placed.inside}`),
        inNavigation: listed
          ? navigation.has(path) || navigation.has(`${root}${placed.inside}`)
          : folders?.leavesOut(path) !== true,
        hidden: search['exclude'] === true || data['draft'] === true,
      }
    },
    links: {
      elsewhere: leadsElsewhere(paths, [root]),
      relativeTo: 'url',
      assetRoots: [root],
      prefixes: [],
      contentFolders: () => [],
      untranslated: (url) => languages?.untranslated(url),
      // Blogs, tags and API references are made by plugins.
      mayExist: (url) => hasBlog && url.startsWith('/blog/'),
    },
  }
}

function withHash(target: string, urlOf: (inside: string) => string): string {
  const [file = '', hash] = target.split('#', 2)
  return hash === undefined ? urlOf(file) : `${urlOf(file)}#${hash}`
}

async function readConfig(
  read: ReadFile,
  path: string,
): Promise<{ settings: Record<string, unknown>; configPaths: string[] }> {
  const settings: Record<string, unknown> = {}
  const configPaths: string[] = []
  let next: string | undefined = path
  while (next !== undefined && configPaths.length < 5 && !configPaths.includes(next)) {
    configPaths.push(next)
    const layer: Record<string, unknown> = readYaml(await read(next))
    for (const [key, value] of Object.entries(layer)) settings[key] ??= value
    next = typeof layer['INHERIT'] === 'string' ? joinPath(folderOf(next), layer['INHERIT']) : undefined
  }
  return { settings, configPaths }
}

/** Tags such as `!ENV` and `!!python/name:…` are read as the plain values below them. */
function readYaml(source = ''): Record<string, unknown> {
  const text = source.slice(0, 1_000_000)
  if (isHostileYaml(text)) return {}
  try {
    const value: unknown = parse(text, {
      logLevel: 'silent',
      uniqueKeys: false,
      maxAliasCount: 100,
    })
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function readNavigation(
  value: unknown,
  root: string,
  found: Map<string, string | undefined>,
  depth: number,
): void {
  if (depth > 20 || found.size > 100_000) return
  if (typeof value === 'string') add(value, undefined)
  else if (Array.isArray(value)) for (const entry of value) readNavigation(entry, root, found, depth + 1)
  else if (isRecord(value)) {
    for (const [title, target] of Object.entries(value)) {
      if (typeof target === 'string') add(target, title)
      else readNavigation(target, root, found, depth + 1)
    }
  }
  function add(target: string, title: string | undefined) {
    if (!/^[a-z][a-z\d+.-]*:/i.test(target)) found.set(`${root}${target.replace(/^\.?\//, '')}`, title)
  }
}

function slugStyle(extensions: unknown): SlugStyle {
  const toc = pluginOptions(extensions, 'toc') ?? pluginOptions(extensions, 'markdown.extensions.toc')
  // A slug function of its own keeps letters of every script, as all the usual ones do.
  return toc && toc['slugify'] !== undefined ? 'python-unicode' : 'python'
}
