import type { ReadFile } from '../../files.ts'
import { isMarkdown, withoutExtension } from '../../links/page-path.ts'
import { openYamlFile } from '../../navigation/yaml-file.ts'
import { type TocFormat, tocNavigation, tocTree } from '../../navigation/toc-tree.ts'
import { fileName, folderOf, joinPath } from '../../text/paths.ts'
import { pairOf } from '../../text/yaml-source.ts'
import { ignorePatterns } from '../../links/made-files.ts'
import { linkRules, settingAt, textAt, textsIn, placesOf } from '../settings.ts'
import { dialects } from '../dialects.ts'
import type { Found, Framework } from '../../site.ts'

/** A project of MyST, as Jupyter Book 2 makes them, found by `myst.yml` in `base`. */
export async function mystSite(
  read: ReadFile,
  { paths, base, config }: Found,
): Promise<Framework | undefined> {
  const open = async (readFile: ReadFile) => {
    const text = await readFile(config)
    return text === undefined ? undefined : openYamlFile(config, text)
  }
  const file = await open(read)
  if (file === undefined) return undefined
  const excluded = ignorePatterns(textsIn(settingAt(file.settings, 'project', 'exclude')).join('\n'))
  const isPage = (path: string) =>
    isMarkdown(path, base) &&
    path.endsWith('.md') &&
    !/(?:^|\/)_build\//.test(path) &&
    !excluded(path.slice(base.length))
  const isThere = (path: string) => paths.has(path)
  const format: TocFormat = {
    keys: ['file'],
    resolve: (text) => {
      const path = joinPath(base, text)
      return path === undefined || isThere(path) ? path : isThere(`${path}.md`) ? `${path}.md` : path
    },
    nameOf: ({ path }, like) => {
      const inside = path.slice(base.length)
      return like === undefined || /\.\w+$/.test(like) ? inside : withoutExtension(inside)
    },
  }
  const toc = (document: unknown) => pairOf(pairOf(document, 'project')?.value, 'toc')?.value
  const { pages, globs } = tocNavigation(file, toc(file.document.contents), format, isThere)
  const matchesGlob = ignorePatterns(globs.map((glob) => `/${glob.replace(/^\.?\//, '')}`).join('\n'))
  const isShown = (path: string) => path.startsWith(base) && matchesGlob(path.slice(base.length))
  const navigation = placesOf(pages)
  const isListed = (path: string) => pages.length === 0 || navigation.has(path) || isShown(path)
  const all = [...paths].filter(isPage)
  const usual = ['index.md', 'README.md', 'main.md'].map((name) => `${base}${name}`).find(isThere)
  const home = pages[0]?.path ?? usual ?? all.sort()[0]
  const inFolders = settingAt(file.settings, 'site', 'options', 'folders') === true
  const urlOf = (path: string) => {
    if (path === home) return '/'
    const bare = withoutExtension(path.slice(base.length))
    const parts = bare.split('/')
    // A folder's index has the name of the folder.
    if (parts.length > 1 && parts.at(-1) === 'index') parts.pop()
    const names = parts.map(slugOf)
    return `/${inFolders ? names.join('/') : (names.at(-1) ?? '')}`
  }
  return {
    name: 'myst',
    root: base,
    configPaths: [config],
    navigation,
    redirects: new Map(),
    needs: { labels: true, fields: [] },
    openKeys: new Map([[config, ['project', 'toc']]]),
    addressesFollowNavigation: true,
    openTree: async (source) => {
      const now = await open(source.read)
      const tree = now && tocNavigation(now, toc(now.document.contents), format, isThere)
      return tree === undefined || tree.lists.length === 0 ? undefined : tocTree(tree, format, isShown)
    },
    dialectOf: () => dialects.myst,
    customs: {
      definesLabels:
        !/^[ \t]{0,40}(?:references|plugins|extends|bibliography)[ \t]{0,20}:/m.test(file.text) &&
        ![...paths].some((path) => path.startsWith(base) && /\.(?:ipynb|tex|bib)$/.test(path)),
    },
    pageFor: (path, data) => {
      if (!isPage(path)) return undefined
      return {
        url: urlOf(path),
        language: undefined,
        version: undefined,
        navTitle: textAt(data, 'short_title') ?? navigation.get(path)?.label,
        inNavigation: isListed(path),
        hidden: !isListed(path) || data['hidden'] === true,
      }
    },
    links: linkRules({
      forms: ['document', 'label'],
      assetRoots: [base, `${base}public/`],
      contentFolders: (path) => [folderOf(path), base],
      // Notebooks and pages in other formats.
      mayExist: (url) => !fileName(url).endsWith('.md'),
    }),
  }
}

/** As MyST does: numbers at the start order pages and are no part of their address, unless they look like a year. */
function slugOf(name: string): string {
  const isNumber = /^[12]\d{3}(?:\D|$)|^\d{5}/.test(name)
  const bare = isNumber ? name : name.replace(/^[\d_.-]+/, '') || name
  return bare
    .toLowerCase()
    .replaceAll('&', '-and-')
    .replace(/[^a-z\d-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 50)
}
