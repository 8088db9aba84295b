import { isRecord } from '../../lib/is-record.ts'
import type { SlugStyle } from '../pages/slug.ts'
import { ignorePatterns } from './made-files.ts'
import { readMkdocsConfig } from '../navigation/mkdocs-config.ts'
import { mkdocsNav, openFolderFiles } from '../navigation/mkdocs-tree.ts'
import { folderFiles, mkdocsLanguages, pluginOptions } from './mkdocs-plugins.ts'
import { folderPath, isMarkdown, leadsElsewhere, withoutExtension } from '../links/page-path.ts'
import { folderOf, joinPath } from '../text/paths.ts'
import type { Framework, ReadFile } from './site.ts'

/** MkDocs, found by `mkdocs.yml`. */
export async function mkdocsSite(
  read: ReadFile,
  input: { paths: ReadonlySet<string>; base: string; config: string },
): Promise<Framework> {
  const { paths, base } = input
  const config = await readMkdocsConfig(read, input.config)
  const settings: Record<string, unknown> = {}
  for (const file of config.files)
    for (const [key, value] of Object.entries(file.settings)) settings[key] ??= value
  const docsFolder = typeof settings['docs_dir'] === 'string' ? settings['docs_dir'] : 'docs'
  const root = folderPath(joinPath(base, docsFolder) ?? `${base}docs`)
  const directories = settings['use_directory_urls'] !== false
  const languages = mkdocsLanguages(settings['plugins'])
  const navigation = new Map(mkdocsNav(config, { root, paths }).pages.map(({ path, label }) => [path, label]))
  const listed = navigation.size > 0
  const files = folderFiles(settings['plugins'], { paths, root })
  const folders = new Map((await openFolderFiles(read, { files, paths })).map((file) => [file.folder, file]))
  const isLeftOut = (path: string) => {
    const file = folders.get(folderOf(path))
    return file !== undefined && !file.isOpen && !file.pages.some((page) => page.path === path)
  }
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
    configPaths: [...config.paths, ...files],
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
          : !isLeftOut(path),
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

function slugStyle(extensions: unknown): SlugStyle {
  const toc = pluginOptions(extensions, 'toc') ?? pluginOptions(extensions, 'markdown.extensions.toc')
  // A slug function of its own keeps letters of every script, as all the usual ones do.
  return toc && toc['slugify'] !== undefined ? 'python-unicode' : 'python'
}
