import { isRecord } from '../../lib/is-record.ts'
import { fileName } from '../text/paths.ts'

/** The options of one entry of `plugins` or `markdown_extensions`, which may be lists or maps; undefined when it is not there. */
export function pluginOptions(list: unknown, name: string): Record<string, unknown> | undefined {
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
export function folderFiles(
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
    // The agent may write these files: a name of any other kind is none.
    const isPlain = typeof filename === 'string' && /^\.?[\w-]{1,50}(?:\.ya?ml)?$/.test(filename)
    const name = isPlain ? filename : usual
    return [...paths]
      .filter((path) => path.startsWith(root) && fileName(path) === name)
      .slice(0, maxFolderFiles)
  }
  return []
}

export interface Placed {
  inside: string
  language: string
  /** Of its address: `''` for the default language. */
  prefix: string
}

/** The languages of the i18n plugin, whose pages have their language in the file's name or in the first folder. */
export function mkdocsLanguages(
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
