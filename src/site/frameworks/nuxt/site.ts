import type { ReadFile } from '../../files.ts'
import { arrangeFolder, folderWords } from '../../navigation/arrange-folders.ts'
import { folderPath, isMarkdown, withoutExtension } from '../../links/page-path.ts'
import { fileName, folderOf } from '../../text/paths.ts'
import { scriptSettings } from '../../code-config/script-settings.ts'
import { besidePages, linkRules, readSettings, settingAt, textAt } from '../settings.ts'
import { dialects } from '../dialects.ts'
import type { Found, Framework } from '../../site.ts'

const number = /^\d+\./
const maxFolderFiles = 300

/** Nuxt Content, found by `content.config.*` in `base`, or by the `.navigation.yml` of numbered folders. */
export async function nuxtSite(
  read: ReadFile,
  { paths, base, config }: Found,
): Promise<Framework | undefined> {
  const isConfigured = fileName(config).startsWith('content.config.')
  const source = isConfigured ? ((await read(config)) ?? '') : ''
  // Astro, and so Starlight, has a file of this name too.
  if (/['"]astro[:/]/.test(source)) return undefined
  const root = isConfigured ? folderPath(`${base}content`) : base
  const pages = [...paths].filter((path) => isMarkdown(path, root) && path.endsWith('.md'))
  if (pages.length === 0) return undefined
  const settings = isConfigured ? scriptSettings(source) : []
  // Where the files are mounted is in another repository; sites name the folder, and the major version of the package.
  const version = isConfigured
    ? undefined
    : textAt(await readSettings(read, `${base}package.json`), 'version')
  const mount = isConfigured ? '' : `/${base.split('/').at(-2) ?? ''}`
  const mounts =
    mount.length > 1
      ? [...(version === undefined ? [] : [`${mount}/${version.split('.', 1)[0]}.x`]), mount]
      : []
  const files = [...paths].filter((path) => path.startsWith(root) && fileName(path) === '.navigation.yml')
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
  const urlOf = (path: string) => {
    if (!isMarkdown(path, root) || !path.endsWith('.md')) return undefined
    const parts = withoutExtension(path.slice(root.length))
      .replace(/\.draft$/, '')
      .split('/')
    if (parts.some((part) => part.startsWith('_'))) return undefined
    const names = parts.map((part) => slugOf(part.replace(number, '')))
    if (names.at(-1) === 'index') names.pop()
    return `/${names.join('/')}`
  }
  return {
    name: 'nuxt',
    root,
    configPaths: [config, ...files],
    navigation: arrangeFolder(
      pages,
      { base: root, groups: [] },
      {
        orderOf: numberOf,
        folderAt: (path, name) => ({
          label: titles.get(path) ?? folderWords(name),
          order: numberOf(path.slice(0, -1)),
        }),
        isOwn: () => false,
      },
    ),
    needs: { shown: ['navigation'] },
    redirects: new Map(),
    openKeys: new Map(),
    dialectOf: () => dialects.nuxt,
    pageFor: (path, data) => {
      const url = urlOf(path)
      if (url === undefined) return undefined
      return {
        url,
        language: undefined,
        version: undefined,
        navTitle: textAt(data, 'navigation', 'title'),
        inNavigation: data['navigation'] !== false && ![...left].some((folder) => path.startsWith(folder)),
        hidden: data['draft'] === true || path.endsWith('.draft.md'),
      }
    },
    links: linkRules({
      relativeTo: 'url',
      assetRoots: [`${base}public/`, root],
      prefixes: [...mounts, ...prefixes],
      contentFolders: () => [root],
      elsewhere: besidePages(pages, urlOf),
    }),
  }
}

/** The number that a file or folder starts with, which the address leaves out. */
function numberOf(path: string): number | undefined {
  const [digits] = number.exec(fileName(path)) ?? []
  return digits === undefined ? undefined : Number.parseInt(digits, 10)
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
