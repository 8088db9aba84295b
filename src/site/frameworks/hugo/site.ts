import type { ReadFile } from '../../files.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { cascadeOf } from './cascade.ts'
import { readHugoSettings } from './configuration.ts'
import { hugoOrder, isLeftOut, mainMenu, orderFields } from './order.ts'
import { builtFields, buildOf, isUnbuilt } from './unbuilt.ts'
import { folderPath, isMarkdown, withoutExtension } from '../../links/page-path.ts'
import { fileName, folderOf, joinPath } from '../../text/paths.ts'
import {
  basePrefixes,
  besidePages,
  linkRules,
  type Settings,
  settingAt,
  textAt,
  textsIn,
} from '../settings.ts'
import type { Dialect } from '../../pages/dialect.ts'
import type { FrontMatterData } from '../../pages/page.ts'
import { dialects } from '../dialects.ts'
import type { Found, Framework } from '../../site.ts'

interface Content {
  folder: string
  /** Undefined where files of several languages share the folder. */
  language: string | undefined
}

/** Hugo, found by `hugo.*`, or by `config.*` beside a folder `content/`. `base` is the folder of the site. */
export async function hugoSite(
  read: ReadFile,
  { paths, base, config, dataOf }: Found,
): Promise<Framework | undefined> {
  const { settings, configPaths } = await readHugoSettings(read, config, paths)
  const languages = settingAt(settings, 'languages')
  const names = new Set(isRecord(languages) ? Object.keys(languages) : [])
  const main = textAt(settings, 'defaultContentLanguage') ?? 'en'
  const contents = contentFolders(settings, base).filter(({ folder }) =>
    [...paths].some((path) => path.startsWith(folder)),
  )
  if (contents.length === 0) return undefined
  const [first] = contents
  const root = contents.length === 1 && first !== undefined ? first.folder : commonFolder(contents)
  const isMainBelow = settingAt(settings, 'defaultContentLanguageInSubdir') === true
  const isUgly = settingAt(settings, 'uglyURLs') === true
  const hasHook = [...paths].some(
    (path) => path.startsWith(base) && path.endsWith('/_markup/render-link.html'),
  )
  /** Files from elsewhere that are put among the pages. */
  const mounts = settingAt(settings, 'module', 'mounts')
  const mounted = (Array.isArray(mounts) ? mounts : []).flatMap((mount) => {
    const target = textAt(mount, 'target') ?? ''
    return target.startsWith('content/') ? [target.slice('content/'.length)] : []
  })
  // Where a site has several languages, Hugo's own template for links reads names of files.
  const hasEmbeddedHook =
    names.size > 1 ||
    /^(?:always|fallback)$/.test(
      textAt(settings, 'markup', 'goldmark', 'renderHooks', 'link', 'useEmbedded') ?? '',
    )
  const themes = [settingAt(settings, 'theme')].flat().filter((name) => typeof name === 'string')
  const hasUnknownTheme =
    settingAt(settings, 'module', 'imports') !== undefined ||
    themes.some((name) => ![...paths].some((path) => path.startsWith(`${base}themes/${name}/`)))
  const dialect = hugoDialect(settings)
  const keepsCase = settingAt(settings, 'disablePathToLower') === true
  const patterns = settingAt(settings, 'permalinks', 'page') ?? settingAt(settings, 'permalinks')

  const placeOf = (path: string) => {
    const content = contents.find(({ folder }) => isMarkdown(path, folder))
    if (content === undefined) return undefined
    const inside = withoutExtension(path.slice(content.folder.length))
    const suffix = /\.([A-Za-z-]{2,10})$/.exec(inside)?.[1]
    const isSuffix = suffix !== undefined && names.has(suffix)
    const bare = isSuffix ? inside.slice(0, -suffix.length - 1) : inside
    const parts = bare.split('/')
    // Templates and includes of the site; files beside a bundle's `index.md` are parts of its page.
    if (parts.some((part, at) => part.startsWith('_') && (part !== '_index' || at < parts.length - 1)))
      return undefined
    const isPart = parts.some((_, at) => {
      const own = `${content.folder}${parts
        .slice(0, at)
        .map((part) => `${part}/`)
        .join('')}`
      return at > 0 && paths.has(`${own}index.md`) && own !== folderOf(path)
    })
    const isBeside =
      !/^_?index$/.test(parts.at(-1) ?? '') && parts.length > 1 && paths.has(`${folderOf(path)}index.md`)
    if (isPart || isBeside) return undefined
    return { parts, language: isSuffix ? suffix : (content.language ?? (names.size > 1 ? main : undefined)) }
  }
  const languageFolder = (language: string | undefined): string =>
    language !== undefined && (language !== main || isMainBelow) ? `/${language}` : ''
  const urlOf = (path: string, data: FrontMatterData = {}): string | undefined => {
    const place = placeOf(path)
    if (place === undefined) return undefined
    const below = languageFolder(place.language)
    const { url } = data
    if (typeof url === 'string' && url !== '') return `${below}/${url.replace(/^\/+/, '')}`
    const file = place.parts.at(-1) ?? ''
    const slug = typeof data['slug'] === 'string' && data['slug'] !== '' ? data['slug'] : undefined
    const isIndex = file === '_index' || file === 'index'
    const folders = place.parts.slice(0, -1)
    if (file === 'index' && slug !== undefined) folders.splice(-1, 1, slug)
    const own = isIndex ? folders : [...folders, slug ?? file]
    const segments = file === '_index' ? own : (permalink(patterns, own, { ...data, file }) ?? own)
    const address = segments.join('/').replaceAll(' ', '-')
    const lower = keepsCase ? address : address.toLowerCase()
    if (lower === '') return `${below}/`
    return `${below}/${lower}${isUgly && !isIndex ? '.html' : '/'}`
  }
  const sections = new Map(
    [...paths]
      .filter((path) => /(?:^|\/)_index\.(?:[A-Za-z-]+\.)?md$/.test(path))
      // Of several languages, the main one says where a folder stands.
      .sort((left, right) => right.length - left.length)
      .map((path) => [folderOf(path), path]),
  )
  const isBeside = besidePages(paths, (path) => urlOf(path))
  const withCascade = cascadeOf(settings, {
    sections,
    dataOf,
    nameOf: (path) => placeOf(path)?.parts.join('/'),
  })
  const isMade = generatedLists(settings, paths, contents)
  const order = hugoOrder({
    paths,
    dataOf,
    sections,
    isPage: (path) => placeOf(path) !== undefined,
    isTop: (path) => contents.some((content) => content.folder === folderOf(path.replace(/\/$/, ''))),
    languageOf: (path) => placeOf(path)?.language,
    main,
    menu: mainMenu(settings, main),
    urlOf,
  })
  return {
    name: 'hugo',
    address: textAt(settings, 'baseURL') ?? textAt(settings, 'baseurl'),
    root,
    configPaths,
    navigation: new Map(),
    redirects: new Map(),
    needs: {
      fields: ['url', 'slug', 'cascade', ...builtFields, ...(isRecord(patterns) ? ['title', 'date'] : [])],
      shown: ['title', 'linkTitle', 'linktitle', ...orderFields],
    },
    aliases: {
      field: 'aliases',
      isOptional: true,
      below: (path) => languageFolder(placeOf(path)?.language),
    },
    folders: order,
    identityOf: (path) => `${root}${placeOf(path)?.parts.join('/') ?? path}.md`,
    openKeys: new Map(),
    dialectOf: () => dialect,
    pageFor: (path, own) => {
      const data = withCascade(path, own)
      const [place, url] = [placeOf(path), urlOf(path, data)]
      if (place === undefined || url === undefined) return undefined
      return {
        url,
        language: place.language,
        version: undefined,
        navTitle: textAt(data, 'linkTitle') ?? textAt(data, 'linktitle'),
        inNavigation: !isLeftOut(data) && !['never', false].some((value) => buildOf(data, 'list') === value),
        hidden: isUnbuilt(data),
      }
    },
    links: linkRules({
      relativeTo: 'url',
      // Templates may read names of files, and write the base path.
      ...(hasHook || hasUnknownTheme || hasEmbeddedHook
        ? {}
        : { files: 'none' as const, base: 'written' as const }),
      forms: ['name'],
      isBuilt: (path) => !isUnbuilt(withCascade(path, dataOf(path))),
      findsInLanguage: names.size > 1 && !isMainBelow,
      assetRoots: [`${base}static/`, `${base}assets/`, root],
      prefixes: basePrefixes(textAt(settings, 'baseURL') ?? textAt(settings, 'baseurl')),
      contentFolders: (path) => contents.flatMap(({ folder }) => (path.startsWith(folder) ? [folder] : [])),
      untranslated: (url) => {
        const language = url.split('/', 2)[1] ?? ''
        return names.has(language) && language !== main ? url.slice(language.length + 1) || '/' : undefined
      },
      // A template of the site may give words a meaning, as hugo's own documentation does: `[page](g)`.
      isOpen: (path, target) =>
        (hasHook && /^\w+$/.test(path)) || mounted.some((file) => target?.endsWith(`/${file}`) === true),
      // Lists of terms, pages of modules and what templates make.
      elsewhere: (url) => (hasHook || hasUnknownTheme ? isBeside(url) : isMade(url)),
    }),
  }
}

/** Tests whether an address may be a list that Hugo makes: of a section, of the terms of a taxonomy, a feed. */
function generatedLists(
  settings: Settings,
  paths: ReadonlySet<string>,
  contents: readonly Content[],
): (url: string) => boolean {
  const named = settingAt(settings, 'taxonomies')
  const taxonomies = isRecord(named) ? textsIn(Object.values(named)) : ['tags', 'categories']
  let sections: Set<string> | undefined
  return (url) => {
    sections ??= new Set(
      contents.flatMap(({ folder }) =>
        [...paths].flatMap((path) =>
          path.startsWith(folder) ? [path.slice(folder.length).split('/', 2).slice(0, -1).join('')] : [],
        ),
      ),
    )
    const parts = url.split('/').filter((part) => part !== '')
    const [first = ''] = parts
    return taxonomies.includes(first) || /\.\w+$/.test(url) || (parts.length === 1 && sections.has(first))
  }
}

/** How the configuration has headings read. */
function hugoDialect(settings: Settings): Dialect {
  const parser = (name: string) => settingAt(settings, 'markup', 'goldmark', 'parser', name)
  const dashes = settingAt(settings, 'markup', 'goldmark', 'extensions', 'typographer')
  const style = parser('autoIDType') ?? parser('autoHeadingIDType')
  return {
    ...dialects.hugo,
    slugs: style === 'blackfriday' ? style : style === 'github-ascii' ? 'hugo-ascii' : 'hugo',
    headings: {
      ...dialects.hugo.headings,
      ownIds: settingAt(parser('attribute'), 'title') === false ? 'none' : 'list',
      typography: dashes === false || settingAt(dashes, 'disable') === true ? undefined : 'dashes',
      leavesEmojiOut: settingAt(settings, 'enableEmoji') === true,
      termsHaveIds: parser('autoDefinitionTermID') === true,
    },
  }
}

/** The folders of pages: those of languages, what is mounted as content, or `content/`. */
function contentFolders(settings: Settings, base: string): Content[] {
  const contents: Content[] = []
  const add = (path: string, language: string | undefined) => {
    const folder = folderPath(joinPath(base, path) ?? `${base}content`)
    if (!contents.some((one) => one.folder === folder)) contents.push({ folder, language })
  }
  const languages = settingAt(settings, 'languages')
  const several = isRecord(languages) && Object.keys(languages).length > 1
  for (const [language, own] of isRecord(languages) ? Object.entries(languages) : []) {
    const folder = textAt(own, 'contentDir') ?? textAt(own, 'contentdir')
    if (folder !== undefined) add(folder, several ? language : undefined)
  }
  const mounts = settingAt(settings, 'module', 'mounts')
  for (const mount of Array.isArray(mounts) ? mounts : []) {
    const [source, target] = [textAt(mount, 'source'), textAt(mount, 'target')]
    if (source === undefined || target !== 'content' || source.startsWith('..')) continue
    const matrix = settingAt(mount, 'sites', 'matrix', 'languages')
    const language =
      textAt(mount, 'lang') ?? (Array.isArray(matrix) ? textAt({ first: matrix[0] }, 'first') : undefined)
    add(source, several ? language : undefined)
  }
  if (contents.length === 0)
    add(textAt(settings, 'contentDir') ?? textAt(settings, 'contentdir') ?? 'content', undefined)
  return contents
}

function commonFolder(contents: readonly Content[]): string {
  let shared = contents[0]?.folder ?? ''
  for (const { folder } of contents) while (!folder.startsWith(shared)) shared = folderOf(shared.slice(0, -1))
  return shared
}

/** The parts of an address by the pattern of its section; undefined without one, or with parts that only Hugo knows. */
function permalink(
  patterns: unknown,
  parts: readonly string[],
  { file, slug, title, date }: Readonly<Record<string, unknown>>,
): string[] | undefined {
  const [section = ''] = parts
  const pattern = parts.length > 1 ? textAt(patterns, section) : undefined
  if (pattern === undefined) return undefined
  const name = parts.at(-1) ?? ''
  const words = typeof title === 'string' ? pathOf(title) : name
  const day = date instanceof Date ? date.toISOString() : typeof date === 'string' ? date : ''
  const [, year, month, dayOfMonth] = /^(\d{4})-(\d\d)-(\d\d)/.exec(day) ?? []
  const values: Readonly<Record<string, string | undefined>> = {
    sections: parts.slice(0, -1).join('/'),
    section,
    // Without a slug, the title makes it.
    slug: typeof slug === 'string' && slug !== '' ? slug : words,
    title: words,
    filename: typeof file === 'string' ? file : name,
    contentbasename: typeof file === 'string' ? file : name,
    slugorfilename: name,
    slugorcontentbasename: name,
    year,
    month,
    day: dayOfMonth,
  }
  const segments = pattern
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (part.startsWith(':') ? (values[part.slice(1)] ?? part) : part))
  return segments.some((part) => part.startsWith(':')) ? undefined : segments
}

/** A title as a part of an address. */
function pathOf(title: string): string {
  return title
    .trim()
    .replace(/[^\p{L}\p{M}\p{N}\s._#+~@-]/gu, '')
    .replace(/[\s-]+/g, '-')
}

/** The folder of the site for a configuration file, which may lie in `config/_default/`. */
export function hugoBase(config: string): string | undefined {
  const folder = folderOf(config)
  if (
    /^hugo\.(?:toml|ya?ml|json)$/.test(fileName(config)) ||
    /^config\.(?:toml|ya?ml|json)$/.test(fileName(config))
  )
    return folder.replace(/(?:^|(?<=\/))config\/_default\/$/, '')
  return undefined
}
