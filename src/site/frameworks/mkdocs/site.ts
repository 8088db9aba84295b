import type { ReadFile } from '../../files.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { ignorePatterns } from '../../links/made-files.ts'
import { isToml, mainConfig, readMkdocsConfig } from './configuration.ts'
import { mkdocsCustoms } from './includes.ts'
import { mkdocsDialect } from './markdown.ts'
import { awesomeOrder } from './awesome-order.ts'
import { awesomePlaces, usualOrder } from './awesome-places.ts'
import { mkdocsNav, mkdocsTree, openFolderFiles } from './navigation.ts'
import { isZensical } from './zensical.ts'
import { folderWords } from '../../navigation/arrange-folders.ts'
import { basePrefixes, placesOf, settingAt, textAt } from '../settings.ts'
import { folderPath, isMarkdown, leadsElsewhere, withoutExtension } from '../../links/page-path.ts'
import { fileName, folderOf, joinPath } from '../../text/paths.ts'
import type { Found, Framework } from '../../site.ts'

/** Plugins that run templates over pages. */
const macros =
  /\b(?:macros|jinja2?|markdownextradata|simple-hooks|table-reader|gen-files|external-markdown)\b/

/** MkDocs, found by `mkdocs.yml`, and Zensical, by `zensical.toml`. */
export async function mkdocsSite(read: ReadFile, input: Found): Promise<Framework | undefined> {
  const { paths, base } = input
  const main = await mainConfig(read, input)
  if (main === undefined) return undefined
  const config = await readMkdocsConfig(read, main)
  const settings = config.files.reduce<Record<string, unknown>>(
    (near, { settings: far }) => inherit(near, far),
    {},
  )
  const docsFolder = typeof settings['docs_dir'] === 'string' ? settings['docs_dir'] : 'docs'
  const root = folderPath(joinPath(base, docsFolder) ?? `${base}docs`)
  const directories = settings['use_directory_urls'] !== false
  const languages = mkdocsLanguages(settings['plugins'])
  const own = placesOf(mkdocsNav(config, { root, paths }).pages)
  const files = folderFiles(settings['plugins'], { paths, root })
  const opened = await openFolderFiles(read, { files, paths })
  const excluded =
    typeof settings['exclude_docs'] === 'string' ? ignorePatterns(settings['exclude_docs']) : () => false
  const isPage = (path: string) =>
    isMarkdown(path, root) && !path.endsWith('.mdx') && !excluded(path.slice(root.length))
  const isNav = pluginOptions(settings['plugins'], 'awesome-nav') !== undefined
  const navigation =
    own.size > 0 || opened.length === 0
      ? own
      : awesomePlaces([...paths].filter(isPage), {
          root,
          files: opened,
          compare: isNav ? awesomeOrder(opened) : usualOrder,
        })
  const zensical = await isZensical(read, input)
  const listed = navigation.size > 0
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
  const dialect = mkdocsDialect((name) => pluginOptions(settings['markdown_extensions'], name), config.files)
  const configPaths = [...config.paths, ...files]
  const isFolderFile = (path: string) => path.startsWith(root) && !/(?:^|\/)mkdocs\.ya?ml$/.test(path)
  return {
    name: 'mkdocs',
    address: textAt(settings, 'site_url'),
    writesIndexLast: true,
    root,
    configPaths,
    navigation,
    originalOf: (path) => {
      const inside = path.slice(root.length)
      return `${root}${languages?.place(inside).inside ?? inside}`
    },
    identityOf: (path) => {
      const inside = path.slice(root.length)
      return `${root}${languages?.place(inside).inside ?? inside}`
    },
    ...(listed
      ? {}
      : {
          folders: {
            orderOf: () => undefined,
            folderAt: (_, name) => ({ label: folderWords(name) }),
            isOwn: () => false,
            compare: isNav ? awesomeOrder(opened) : usualOrder,
          },
        }),
    redirects,
    ...(isToml(main) ? { openKeys: new Map([[main, ['project', 'nav']]]) } : {}),
    openTree: async (now) =>
      isToml(main)
        ? undefined
        : mkdocsTree(now.read, {
            config: main,
            folderFiles: configPaths.filter(isFolderFile),
            root,
            paths: now.paths,
          }),
    mainLanguage: textAt(settings, 'theme', 'language'),
    dialectOf: () => dialect,
    customs: mkdocsCustoms({ root, configPaths }),
    configuredDialect: async (now) => {
      // Pages and addresses are named after these plugins as well, so that their text decides only where it cannot be read.
      const isRead = config.broken.length === 0 && !isToml(main)
      if (isRead && !pluginNames(settings['plugins']).some((name) => macros.test(name))) return {}
      for (const path of configPaths) {
        const text = (await now.read(path)) ?? ''
        if (macros.test(text)) return { templates: 'whole', signs: signsIn(text) }
      }
      return {}
    },
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
        navTitle: (navigation.get(path) ?? navigation.get(`${root}${placed.inside}`))?.label,
        inNavigation: !listed || navigation.has(path) || navigation.has(`${root}${placed.inside}`),
        hidden: search['exclude'] === true || data['draft'] === true,
      }
    },
    links: {
      elsewhere: leadsElsewhere(paths, [root]),
      relativeTo: 'url',
      // Zensical finds pages by names without their ending, by folders, and in HTML.
      files: zensical ? 'bare' : 'whole',
      readsHtml: zensical,
      hasFilesFromTop: settingAt(settings, 'validation', 'links', 'absolute_links') === 'relative_to_docs',
      assetRoots: [root],
      prefixes: basePrefixes(textAt(settings, 'site_url')),
      contentFolders: () => [],
      untranslated: (url) => languages?.untranslated(url),
      // A file that every theme brings.
      isOpen: (_, target) => target === `${root}img/favicon.ico`,
      // Blogs, tags and API references are made by plugins.
      mayExist: (url) => hasBlog && url.startsWith('/blog/'),
    },
  }
}

/** As MkDocs merges a configuration with the one that it inherits from: maps key by key, anything else as a whole. */
function inherit(
  near: Record<string, unknown>,
  far: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = { ...near }
  for (const [key, value] of Object.entries(far)) {
    const own = merged[key]
    merged[key] = isRecord(own) && isRecord(value) ? inherit(own, value) : (own ?? value)
  }
  return merged
}

const usualSigns: readonly (readonly [setting: string, usual: string])[] = [
  ['variable_start', '{{'],
  ['variable_end', '}}'],
  ['block_start', '{%'],
  ['block_end', '%}'],
  ['comment_start', '{#'],
  ['comment_end', '#}'],
]

/** The signs of templates that the macros plugin is given, each with the usual one. */
function signsIn(text: string): (readonly [own: string, usual: string])[] {
  return usualSigns.flatMap(([setting, usual]) => {
    const [, own = ''] =
      new RegExp(String.raw`\bj2_${setting}_string:[ \t]*["']?([^\s"'#]{1,20})`).exec(text) ?? []
    return own === '' || own === usual ? [] : [[own, usual] as const]
  })
}

function withHash(target: string, urlOf: (inside: string) => string): string {
  const [file = '', hash] = target.split('#', 2)
  return hash === undefined ? urlOf(file) : `${urlOf(file)}#${hash}`
}

/** What a list or map of plugins names, its anchors and conditions included. */
function pluginNames(list: unknown): string[] {
  const entries: unknown[] = Array.isArray(list) ? list : [list]
  return entries.flatMap((entry) => (isRecord(entry) ? Object.keys(entry) : [String(entry)]))
}

/** The options of one entry of `plugins` or `markdown_extensions`, which may be lists or maps; undefined when it is not there. */
function pluginOptions(list: unknown, name: string): Record<string, unknown> | undefined {
  const entries: unknown[] = Array.isArray(list) ? list : [list]
  for (const entry of entries) {
    if (entry === name || (typeof entry === 'string' && entry.endsWith(`/${name}`))) return {}
    if (!isRecord(entry)) continue
    for (const [key, value] of Object.entries(entry)) {
      if (key === name || key.endsWith(`/${name}`)) return isRecord(value) ? value : {}
    }
  }
  return undefined
}

const maxFolderFiles = 300

/** The files in which a plugin names the pages of each folder: `.pages` of awesome-pages, `.nav.yml` of awesome-nav. */
function folderFiles(
  plugins: unknown,
  { paths, root }: { paths: ReadonlySet<string>; root: string },
): string[] {
  for (const [plugin, usual] of [
    ['awesome-nav', '.nav.yml'],
    ['awesome-pages', '.pages'],
  ] as const) {
    const options = pluginOptions(plugins, plugin)
    if (options === undefined) continue
    const { filename } = options
    // The agent may write files of this name, so it has to look like one of these.
    const isPlain = typeof filename === 'string' && /^\.?[\w-]{1,50}(?:\.ya?ml)?$/.test(filename)
    const name = isPlain ? filename : usual
    return [...paths]
      .filter((path) => path.startsWith(root) && fileName(path) === name)
      .slice(0, maxFolderFiles)
  }
  return []
}

interface Placed {
  inside: string
  language: string
  /** Of its address: `''` for the default language. */
  prefix: string
}

/** The languages of the i18n plugin, whose pages have their language in the file's name or in the first folder. */
function mkdocsLanguages(
  plugins: unknown,
): { place: (inside: string) => Placed; untranslated: (url: string) => string | undefined } | undefined {
  const options = pluginOptions(plugins, 'i18n')
  if (!options) return undefined
  const locales = new Set<string>()
  let main = typeof options['default_language'] === 'string' ? options['default_language'] : undefined
  const languages: unknown = options['languages']
  if (Array.isArray(languages)) {
    for (const entry of languages.filter(isRecord)) {
      const locale: unknown = entry['locale']
      if (typeof locale !== 'string') continue
      locales.add(locale)
      if (entry['default'] === true) main = locale
    }
  } else if (isRecord(languages))
    for (const name of Object.keys(languages)) if (name !== 'default') locales.add(name)
  const fallback = main ?? locales.values().next().value
  if (fallback === undefined) return undefined
  locales.add(fallback)
  const byFolder = options['docs_structure'] === 'folder'
  const placed = (inside: string, language: string): Placed => ({
    inside,
    language,
    prefix: language === fallback ? '' : `/${language}`,
  })
  return {
    untranslated: (url) => {
      const first = url.split('/', 2)[1] ?? ''
      return locales.has(first) ? url.slice(first.length + 1) || '/' : undefined
    },
    place: (inside) => {
      if (byFolder) {
        const slash = inside.indexOf('/')
        const folder = inside.slice(0, Math.max(0, slash))
        return locales.has(folder) ? placed(inside.slice(slash + 1), folder) : placed(inside, fallback)
      }
      const suffix = /\.([A-Za-z_-]{2,10})\.md$/.exec(inside)?.[1]
      return suffix !== undefined && locales.has(suffix)
        ? placed(`${inside.slice(0, -suffix.length - 4)}.md`, suffix)
        : placed(inside, fallback)
    },
  }
}
