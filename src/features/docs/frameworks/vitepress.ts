import { folderPath, isMarkdown, joinPath, languageFolders, withoutExtension } from './page-path.ts'
import { scriptSettings } from './script-settings.ts'
import type { Framework, ReadFile } from './site.ts'

const configNames = ['ts', 'mts', 'js', 'mjs', 'cjs', 'cts'].flatMap((end) => [
  `config.${end}`,
  `config/index.${end}`,
])

/** VitePress, found by its `.vitepress/` folder in `base`. */
export async function vitepressSite(
  read: ReadFile,
  input: { paths: ReadonlySet<string>; base: string },
): Promise<Framework> {
  const { paths, base } = input
  const configPaths = configNames.map((name) => `${base}.vitepress/${name}`)
  const present = configPaths.find((path) => paths.has(path))
  const source = present === undefined ? undefined : await read(present)
  const settings = scriptSettings(source ?? '')
  const text = (key: string) => {
    const found = settings.find((setting) => setting.keys.at(-1) === key && setting.keys.length <= 2)?.value
    return typeof found === 'string' ? found : undefined
  }
  const sourceFolder = joinPath(base, text('srcDir') ?? '') ?? base
  const root = folderPath(sourceFolder)
  // `/guide/x.html` opens whatever the setting is, as it is the file that gets built; `/guide/x` opens on hosts that know
  // it. So the clean form is used only when the configuration says in so many words that it is on.
  const clean = settings.some(({ keys, value }) => keys.at(-1) === 'cleanUrls' && value === true)
  const locales = new Map<string, string>()
  for (const { keys, value } of settings) {
    const at = keys.indexOf('locales')
    const name = keys[at + 1]
    if (at !== -1 && name !== undefined && keys.at(-1) === 'lang' && typeof value === 'string')
      locales.set(name, value)
  }
  const translations = languageFolders(paths, root)
  const mainLanguage = locales.get('root') ?? text('lang') ?? 'en'
  return {
    name: 'vitepress',
    root,
    configPaths: present === undefined ? configPaths.slice(0, 2) : [present],
    navigation: new Map(),
    redirects: new Map(),
    dialectOf: () => ({ mdx: false, slugs: 'vitepress' }),
    pageFor: (path, data) => {
      if (!isMarkdown(path, root) || !path.endsWith('.md')) return undefined
      const inside = withoutExtension(path.slice(root.length))
      if (/(?:^|\/)(?:public|node_modules|dist|snippets)\//.test(inside)) return undefined
      // Dynamic routes are made from data.
      if (inside.includes('[')) return undefined
      if (root === '' && /^(?:README|CONTRIBUTING|CHANGELOG|LICENSE|SECURITY|CODE_OF_CONDUCT)$/.test(inside))
        return undefined
      const first = inside.slice(0, Math.max(0, inside.indexOf('/')))
      const isIndex = inside === 'index' || inside.endsWith('/index')
      return {
        url: isIndex ? `/${inside.slice(0, -'index'.length)}` : `/${inside}${clean ? '' : '.html'}`,
        language: translations.size === 0 ? undefined : translations.has(first) ? first : mainLanguage,
        version: undefined,
        navTitle: undefined,
        inNavigation: true,
        hidden: data['search'] === false || data['draft'] === true,
      }
    },
    links: {
      elsewhere: () => false,
      relativeTo: 'file',
      assetRoots: [`${root}public/`, root],
      prefixes: prefixOf(text('base')),
      contentFolders: () => [root],
      untranslated: () => undefined,
      mayExist: () => false,
    },
  }
}

export function prefixOf(base: string | undefined): string[] {
  const trimmed = base?.replace(/\/+$/, '') ?? ''
  return trimmed.startsWith('/') && trimmed.length > 1 ? [trimmed] : []
}
