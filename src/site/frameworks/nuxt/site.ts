import type { ReadFile } from '../../files.ts'
import { arrangeFolder, byCharacters, folderWords } from '../../navigation/arrange-folders.ts'
import { folderPath, isAsset, isMarkdown, withoutExtension } from '../../links/page-path.ts'
import { fileName, folderOf, outerSlashes } from '../../text/paths.ts'
import { scriptSettings } from '../../code-config/script-settings.ts'
import { besidePages, linkRules, readSettings, settingAt, textAt } from '../settings.ts'
import { dialects } from '../dialects.ts'
import type { FolderEntry } from '../../navigation/arrange-folders.ts'
import type { FrontMatterData } from '../../pages/page.ts'
import type { Found, Framework } from '../../site.ts'

const number = /^\d+\./
/** Names that are versions keep their numbers. */
const version = /^\d+(?:\.\d+)*(?:\.x)?$/
const maxFolderFiles = 300
const ownPages = /^(?:(?:app\/)?pages|layers|server\/routes)\//

/**
 * Nuxt Content, found by `content.config.*` or Docus in `base`, which need no configuration of their own, or by the
 * `.navigation.yml` of numbered folders.
 */
export async function nuxtSite(
  read: ReadFile,
  { paths, base, config, dataOf }: Found,
): Promise<Framework | undefined> {
  const isConfigured = fileName(config) !== '.navigation.yml'
  const isOwnFile = fileName(config).startsWith('content.config.')
  const source = isConfigured ? ((await read(config)) ?? '') : ''
  if (isConfigured && !isOwnFile && !/["'](?:docus|@nuxt\/content)["']/.test(source)) return undefined
  // Astro, and so Starlight, has a file of this name too.
  if (isOwnFile && /['"]astro[:/]/.test(source)) return undefined
  const root = isConfigured ? folderPath(`${base}content`) : base
  const pages = [...paths].filter((path) => isMarkdown(path, root) && path.endsWith('.md'))
  if (pages.length === 0) return undefined
  const settings = isOwnFile ? scriptSettings(source) : []
  // Where the files are mounted is in another repository; sites name the folder, and the major version of the package.
  const major = isConfigured ? undefined : textAt(await readSettings(read, `${base}package.json`), 'version')
  const mount = isConfigured ? '' : `/${base.split('/').at(-2) ?? ''}`
  const mounts =
    mount.length > 1 ? [...(major === undefined ? [] : [`${mount}/${major.split('.', 1)[0]}.x`]), mount] : []
  const sources = settings.flatMap(({ keys, value }) =>
    /^(?:source|include)$/.test(String(keys.at(-1))) && typeof value === 'string' ? [value] : [],
  )
  // Collections of Markdown alone take no files about folders.
  const takesFiles = sources.length === 0 || sources.some((one) => !one.endsWith('.md'))
  const files = [...paths].filter(
    (path) => takesFiles && path.startsWith(root) && fileName(path) === '.navigation.yml',
  )
  const left = new Set<string>()
  const titles = new Map<string, string>()
  for (const path of files.slice(0, maxFolderFiles)) {
    const settings = await readSettings(read, path)
    if (settingAt(settings, 'navigation') === false) left.add(folderOf(path))
    const title = textAt(settings, 'title') ?? textAt(settings, 'navigation.title')
    if (title !== undefined) titles.set(folderOf(path), title)
  }
  const prefixes = settings.flatMap(({ keys, value }) =>
    keys.at(-1) === 'prefix' && typeof value === 'string' && value.length > 1
      ? [value.replace(/(?<!\/)\/+$/, '')]
      : [],
  )
  const urlOf = (path: string, data: FrontMatterData = dataOf(path)) => {
    if (!isMarkdown(path, root) || !path.endsWith('.md')) return undefined
    const own = textAt(data, 'path')
    if (own !== undefined && own !== '') return `/${own.replace(outerSlashes, '')}`
    const names = withoutExtension(path.slice(root.length)).split('/').map(partOf)
    if (names.at(-1) === '') names.pop()
    return `/${names.join('/')}`
  }
  const isBeside = besidePages(pages, urlOf)
  const app = ['ts', 'js', 'mjs']
    .map((ending) => `${base}nuxt.config.${ending}`)
    .find((path) => paths.has(path))
  const layers = /\bextends\s{0,5}:\s{0,5}([^\n]{1,300})/.exec(
    app === undefined ? '' : ((await read(app)) ?? ''),
  )
  // The app, or one that it extends, may have pages of its own.
  const mayHaveOthers =
    !isConfigured ||
    (layers !== null && !/^\[?\s{0,20}["']docus["']\s{0,20}\]?/.test(layers[1] ?? '')) ||
    [...paths].some((path) => path.startsWith(base) && ownPages.test(path.slice(base.length)))
  const indexes = new Map(pages.flatMap((path) => (isIndex(path) ? [[folderOf(path), path]] : [])))
  const titleOf = (folder: string) => {
    const data = dataOf(indexes.get(folder) ?? '')
    return textAt(data, 'navigation', 'title') ?? textAt(data, 'title')
  }
  return {
    name: 'nuxt',
    root,
    configPaths: [...new Set([config, ...(app === undefined ? [] : [app]), ...files])],
    navigation: arrangeFolder(
      pages,
      { base: root, groups: [] },
      {
        orderOf: () => undefined,
        folderAt: (path, name) => ({ label: titles.get(path) ?? titleOf(path) ?? folderWords(name) }),
        isOwn: (path, isTop) => !isTop && isIndex(path),
        // By their paths, as texts: `10.x` comes before `2.x`.
        compare: (left, right) => byCharacters(stemOf(left), stemOf(right)),
      },
    ),
    needs: { fields: ['path'], shown: ['navigation', 'title'] },
    redirects: new Map(),
    openKeys: new Map(),
    dialectOf: () => dialects.nuxt,
    pageFor: (path, data) => {
      const url = urlOf(path, data)
      if (url === undefined) return undefined
      return {
        url,
        language: undefined,
        version: undefined,
        navTitle: textAt(data, 'navigation', 'title'),
        inNavigation: data['navigation'] !== false && ![...left].some((folder) => path.startsWith(folder)),
        // Drafts are built as all others are.
        hidden: false,
      }
    },
    links: linkRules({
      relativeTo: 'url',
      files: 'whole',
      assetRoots: [`${base}public/`, root],
      prefixes: [...mounts, ...prefixes],
      contentFolders: () => [root],
      elsewhere: (url) => mayHaveOthers && !isAsset(url) && isBeside(url),
    }),
  }
}

/** The part of an address that a file or a folder stands for; empty for an index. */
function partOf(name: string): string {
  if (version.test(name)) return slugOf(name)
  return slugOf(
    name
      .replace(number, '')
      .replace(/^index(?:\.draft)?$/, '')
      .replace(/\.draft$/, ''),
  )
}

function isIndex(path: string): boolean {
  return /^(?:\d+\.)?index\.md$/.test(fileName(path))
}

function stemOf({ name, path }: FolderEntry): FolderEntry {
  return { path, name: path.endsWith('/') ? `${name}/` : withoutExtension(name) }
}

const words = new Map([
  ['$', 'dollar'],
  ['%', 'percent'],
  ['&', 'and'],
  ['<', 'less'],
  ['>', 'greater'],
  ['|', 'or'],
])

/** As the library does that Nuxt Content takes for this: some signs become words, accents go. */
function slugOf(name: string): string {
  return name
    .replace(/[$%&<>|]/g, (sign) => words.get(sign) ?? '')
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}\s_*+~.()'"!:@-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')
    .toLowerCase()
}
