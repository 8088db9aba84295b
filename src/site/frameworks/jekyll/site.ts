import type { ReadFile } from '../../files.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { folderWords, orderIn } from '../../navigation/arrange-folders.ts'
import { folderPath, isMarkdown, withoutExtension } from '../../links/page-path.ts'
import { openYamlFile } from '../../navigation/yaml-file.ts'
import { type TocFormat, type TocNavigation, tocNavigation, tocTree } from '../../navigation/toc-tree.ts'
import { isShown, justTheDocsPlaces, treeFields } from './just-the-docs.ts'
import { fileName, folderOf, joinPath, outerSlashes } from '../../text/paths.ts'
import { ignorePatterns } from '../../links/made-files.ts'
import {
  basePrefixes,
  besidePages,
  linkRules,
  readSettings,
  settingAt,
  type Settings,
  textAt,
  textsIn,
  placesOf,
} from '../settings.ts'
import type { FrontMatterData } from '../../pages/page.ts'
import { dialects } from '../dialects.ts'
import type { Found, Framework } from '../../site.ts'

const maxDataFiles = 20
const navigationNames = new Set([
  'nav',
  'navigation',
  'toc',
  'sidebar',
  'sidebars',
  'menu',
  'docs',
  'tutorials',
])

interface Place {
  /** The name of the collection; undefined for a page. */
  collection: string | undefined
  /** Its path in the collection or the site, without extension. */
  inside: string
}

/** Jekyll, found by `_config.yml` in `base`. Undefined for other tools with a file of that name. */
export async function jekyllSite(
  read: ReadFile,
  { paths, base, config, dataOf }: Found,
): Promise<Framework | undefined> {
  const settings = await readSettings(read, config)
  if ('source_dir' in settings || 'public_dir' in settings) return undefined
  const root = folderPath(joinPath(base, textAt(settings, 'source') ?? '') ?? base)
  const collectionsFolder = folderPath(textAt(settings, 'collections_dir') ?? '')
  const collections = outputCollections(settings)
  const excluded = ignorePatterns(
    ['vendor/', 'Gemfile', ...textsIn(settingAt(settings, 'exclude'))].join('\n'),
  )
  const placeOf = (path: string): Place | undefined => {
    if (!isMarkdown(path, root)) return undefined
    const inside = path.slice(root.length)
    if (excluded(inside)) return undefined
    const bare = withoutExtension(inside)
    const own = bare.startsWith(`${collectionsFolder}_`)
      ? bare.slice(collectionsFolder.length + 1)
      : undefined
    const slash = own?.indexOf('/') ?? -1
    const collection = slash === -1 ? undefined : own?.slice(0, slash)
    const rest = collection === undefined ? bare : (own ?? '').slice(slash + 1)
    if (collection !== undefined && !collections.has(collection)) return undefined
    return rest.split('/').some((part) => part.startsWith('_')) ? undefined : { collection, inside: rest }
  }
  const urlOf = (path: string, data: FrontMatterData = {}): string | undefined => {
    const place = placeOf(path)
    return place && `/${filled(patternOf(place, path, data), place, data).replace(/^\/+/, '')}`
  }
  const patternOf = ({ collection, inside }: Place, path: string, data: FrontMatterData): string => {
    const own =
      textAt(data, 'permalink') ?? defaultPermalink(settings, { path: path.slice(root.length), collection })
    if (own !== undefined) return styles.get(own) ?? own
    const style = textAt(settings, 'permalink') ?? 'date'
    const ending = style === 'pretty' || style.endsWith('/') ? '/' : ':output_ext'
    if (collection === 'posts')
      return textAt(collections.get(collection), 'permalink') ?? styles.get(style) ?? style
    if (collection !== undefined)
      return textAt(collections.get(collection), 'permalink') ?? `/:collection/:path${ending}`
    const isReadme = /(?:^|\/)README$/i.test(inside)
    const hasIndex = ['index.md', 'index.html', 'index.markdown'].some((name) =>
      paths.has(`${folderOf(path)}${name}`),
    )
    const isIndex = /(?:^|\/)index$/.test(inside) || (isReadme && !hasIndex)
    return isIndex ? `/${folderOf(inside)}` : `/:path${ending}`
  }
  const byUrl = () => {
    const pathOf = new Map<string, string>()
    for (const path of paths) {
      const url = urlOf(path, dataOf(path))
      if (url !== undefined) pathOf.set(keyOf(url), path)
    }
    return pathOf
  }
  let known: Map<string, string> | undefined
  let html: Set<string> | undefined
  const prefixes = basePrefixes(textAt(settings, 'baseurl'))
  const format: TocFormat = {
    keys: ['url', 'link', 'page', 'href'],
    resolve: (text) => (known ??= byUrl()).get(keyOf(text)),
    nameOf: ({ url }, like = '/') => {
      const bare = url.replace(/(?<!\/)\/$/, '').replace(/\.html$/, '')
      const styled = like.endsWith('/') || !url.endsWith('/') ? url : bare
      return like.startsWith('/') ? styled : styled.replace(/^\//, '')
    },
  }
  const files = [...paths]
    .filter((path) => path.startsWith(`${root}_data/`) && isNavigation(path))
    .slice(0, maxDataFiles)
  const open = async (readFile: ReadFile): Promise<TocNavigation> => {
    const trees: TocNavigation[] = []
    for (const path of files) {
      const text = await readFile(path)
      const file = text === undefined ? undefined : openYamlFile(path, text)
      // An address that no Markdown file has may be that of a page in HTML.
      if (file !== undefined) trees.push(tocNavigation(file, file.document.contents, format, () => true))
    }
    return {
      pages: trees.flatMap((one) => one.pages).filter(({ path }) => path !== undefined),
      lists: trees.flatMap((one) => one.lists),
      globs: [],
    }
  }
  const { pages } = await open(read)
  const listed = [...paths].filter(
    (path) => placeOf(path)?.collection === undefined && placeOf(path) !== undefined,
  )
  const themes = [textAt(settings, 'theme'), textAt(settings, 'remote_theme')]
  // Copies of the theme are not named, but their pages say what they stand below.
  const isTree =
    themes.some((theme) => theme?.includes('just-the-docs')) ||
    (pages.length === 0 && listed.some((path) => textAt(dataOf(path), 'parent') !== undefined))
  const navigation = isTree
    ? justTheDocsPlaces(listed, dataOf, { ignoresCase: textAt(settings, 'nav_sort') === 'case_insensitive' })
    : placesOf(pages)
  const folders = new Set([...navigation.keys()].map(folderOf))
  const plugins = [settingAt(settings, 'plugins'), settingAt(settings, 'gems')].flatMap(textsIn)
  const redirects = plugins.includes('jekyll-redirect-from')
  // Without a file of gems, GitHub builds the site, with a plugin that reads names of files in links.
  const gems = [`${base}Gemfile`, 'Gemfile'].find((path) => paths.has(path))
  const readsFiles =
    gems === undefined ||
    plugins.includes('jekyll-relative-links') ||
    /\b(?:github-pages|jekyll-relative-links)\b/.test((await read(gems)) ?? '')
  const isBeside = besidePages(paths, (path) => urlOf(path))
  const mayHaveOthers =
    plugins.some((plugin) => !pagelessPlugins.test(plugin)) ||
    [...paths].some((path) => path.startsWith(`${root}_plugins/`)) ||
    [...paths].some(
      (path) => path.startsWith(root) && /^(?!_)(?!.*\/_).*\.html$/.test(path.slice(root.length)),
    )
  return {
    name: 'jekyll',
    address: textAt(settings, 'url'),
    root,
    configPaths: [config, ...(gems === undefined ? [] : [gems]), ...files],
    navigation,
    redirects: new Map(),
    needs: { fields: ['permalink', 'slug', 'date', 'categories', 'published'], shown: treeFields },
    ...(redirects ? { aliases: { field: 'redirect_from', isOptional: false } } : {}),
    ...(isTree
      ? {}
      : {
          folders: {
            orderOf: (path) => orderIn(dataOf(path)['nav_order']),
            folderAt: (_, name) => ({ label: folderWords(name) }),
            isOwn: () => false,
            asFirstPage: true,
          },
        }),
    openKeys: new Map(files.map((path) => [path, []])),
    ...(isTree || navigation.size === 0
      ? {}
      : { openTree: async (source) => tocTree(await open(source.read), format, () => false) }),
    dialectOf: () => dialects.jekyll,
    pageFor: (path, data) => {
      const url = urlOf(path, data)
      if (url === undefined) return undefined
      return {
        url,
        language: undefined,
        version: undefined,
        navTitle: navigation.get(path)?.label,
        // Themes show the pages of other folders by their own rules.
        inNavigation: isTree
          ? isShown(data)
          : data['nav_exclude'] !== true && (navigation.has(path) || !folders.has(folderOf(path))),
        hidden: data['published'] === false || data['search_exclude'] === true || data['sitemap'] === false,
      }
    },
    links: linkRules({
      isBuilt: (path) => dataOf(path)['published'] !== false,
      relativeTo: 'url',
      files: readsFiles ? 'whole' : 'none',
      base: 'written',
      forms: ['file', 'address'],
      assetRoots: [root],
      prefixes,
      contentFolders: () => [root],
      // Pages in HTML have addresses that their front matter sets.
      elsewhere: (url) => (mayHaveOthers || /\.\w+$/.test(url)) && isBeside(url),
      mayExist: (url) => {
        html ??= new Set(
          [...paths].flatMap((path) => (path.endsWith('.html') ? [keyOf(path.slice(root.length))] : [])),
        )
        return html.has(keyOf(url))
      },
    }),
  }
}

/** Plugins that make no pages. */
const pagelessPlugins =
  /^jekyll-(?:redirect-from|seo-tag|sitemap|feed|relative-links|optional-front-matter|readme-index|titles-from-headings|default-layout|include-cache|remote-theme|github-metadata|gist|mentions|avatar)$|^jemoji$/

/** Whether a data file is named as a navigation: `docs_nav.yml`. */
function isNavigation(path: string): boolean {
  const [name = '', ending = ''] = fileName(path).toLowerCase().split('.')
  return /^ya?ml$/.test(ending) && name.split(/[-_]/).some((word) => navigationNames.has(word))
}

/** Built-in names of permalinks. */
const styles = new Map([
  ['date', '/:categories/:year/:month/:day/:title:output_ext'],
  ['pretty', '/:categories/:year/:month/:day/:title/'],
  ['ordinal', '/:categories/:year/:y_day/:title:output_ext'],
  ['none', '/:categories/:title:output_ext'],
])

function filled(pattern: string, { collection = '', inside }: Place, data: FrontMatterData): string {
  const file = fileName(inside)
  const [date = '', ...named] = /^(\d{4})-(\d\d?)-(\d\d?)-/.exec(file) ?? []
  // Front matter has the last word on a post's date.
  const [, ...stated] = /^(\d{4})-(\d\d)-(\d\d)/.exec(dateText(data['date'])) ?? []
  const [year = '', month = '', day = ''] = stated.length > 0 ? stated : named
  const name = file.slice(date.length)
  const categories = [data['categories'], data['category']]
    .flatMap((one) => (typeof one === 'string' ? one.split(/\s+/) : textsIn(one)))
    .map((one) => one.toLowerCase())
  const values = new Map([
    ['collection', collection],
    ['path', inside],
    ['title', textAt(data, 'slug') ?? name],
    ['slug', textAt(data, 'slug') ?? name],
    ['name', name],
    ['basename', name],
    ['categories', categories.join('/')],
    ['year', year],
    ['month', month],
    ['day', day],
    ['output_ext', '.html'],
  ])
  return pattern
    .replace(/:([a-z_]+)/g, (whole, key: string) => values.get(key) ?? whole)
    .replace(/\/{2,}/g, '/')
}

function dateText(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? value : ''
}

function outputCollections(settings: Settings): Map<string, unknown> {
  const collections = new Map<string, unknown>([['posts', undefined]])
  const stated = settingAt(settings, 'collections')
  for (const [name, own] of isRecord(stated) ? Object.entries(stated) : [])
    if (name === 'posts' || settingAt(own, 'output') === true) collections.set(name, own)
  return collections
}

/** The permalink that `defaults` of the configuration set for a file. */
function defaultPermalink(
  settings: Settings,
  { path, collection }: { path: string; collection: string | undefined },
): string | undefined {
  const defaults = settingAt(settings, 'defaults')
  let found: string | undefined
  for (const one of Array.isArray(defaults) ? defaults.slice(0, 200) : []) {
    const value = textAt(one, 'values', 'permalink')
    const scope = (textAt(one, 'scope', 'path') ?? '').replace(outerSlashes, '')
    const type = textAt(one, 'scope', 'type')
    if (value === undefined || (type !== undefined && type !== (collection ?? 'pages'))) continue
    if (scope === '' || path === scope || path.startsWith(`${scope}/`)) found = value
  }
  return found
}

function keyOf(url: string): string {
  return url
    .replace(/[?#].*$/s, '')
    .replace(/\.html$/, '')
    .replace(/\/index$/, '')
    .replace(outerSlashes, '')
}
