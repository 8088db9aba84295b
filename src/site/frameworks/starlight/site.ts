import type { ReadFile } from '../../files.ts'
import { codeNavigation } from '../../code-config/code-navigation.ts'
import { isMarkdown, isPartial, languageFolders, withoutExtension } from '../../links/page-path.ts'
import { type FolderEntry, type FolderRules, orderIn } from '../../navigation/arrange-folders.ts'
import { prefixOf, settingAt, textAt } from '../settings.ts'
import { slugify } from '../../markdown/slug.ts'
import { scriptSettings } from '../../code-config/script-settings.ts'
import { dialects } from '../dialects.ts'
import { servesRoute } from '../../links/routes.ts'
import type { Found, Framework } from '../../site.ts'
import { starlightCustoms } from './customs.ts'
import { starlightCode } from './sidebar.ts'
import { outerSlashes } from '../../text/paths.ts'

/** Starlight, found by its Astro configuration in `base` and the folder `src/content/docs/`. */
export async function starlightSite(read: ReadFile, input: Found): Promise<Framework> {
  const { paths, base, config, dataOf } = input
  const root = `${base}src/content/docs/`
  const settings = scriptSettings((await read(config)) ?? '')
  const locales = new Map<string, string | undefined>()
  for (const { keys, value } of settings) {
    const at = keys.indexOf('locales')
    const name = keys[at + 1]
    if (at === -1 || name === undefined) continue
    if (keys.at(-1) === 'lang' && typeof value === 'string') locales.set(name, value)
    else if (!locales.has(name)) locales.set(name, undefined)
  }
  const named = [...locales.keys()].filter((name) => name !== 'root')
  const folders = named.length > 0 ? new Set(named) : languageFolders(paths, root)
  const basePath = settings.find(({ keys }) => keys.at(-1) === 'base')?.value
  const address = settings.find(({ keys }) => keys.at(-1) === 'site' && keys.length === 1)?.value
  const main = settings.find(({ keys }) => keys.at(-1) === 'defaultLocale')?.value
  const mainFolder =
    typeof main === 'string' && folders.has(main)
      ? main
      : locales.size === 0 && folders.has('en')
        ? 'en'
        : undefined
  const trailing = settings.find(({ keys }) => keys.at(-1) === 'trailingSlash')?.value
  const isFile = settings.some(
    ({ keys, value }) => keys.at(-2) === 'build' && keys.at(-1) === 'format' && value === 'file',
  )
  const custom = [...paths].filter((path) => path.startsWith(`${base}src/pages/`))
  const manifest = `${base}package.json`
  const packages = (await read(manifest)) ?? ''
  const slugs = olderAstro(packages) ? 'astro' : 'github'
  const urlOf = (path: string, slug?: string): string | undefined => {
    if (!isMarkdown(path, root) || isPartial(path)) return undefined
    const inside = withoutExtension(path.slice(root.length))
    if (inside.split('/').some((part) => part.startsWith('_'))) return undefined
    const ownRoute = inside
      .split('/')
      .map((part) => slugify(part, 'github'))
      .join('/')
      .replace(/(?:^|\/)index$/, '')
    const route = (slug?.replace(outerSlashes, '') ?? ownRoute).replace(/^index$/, '')
    if (isFile) return `/${route === '' ? 'index' : route}.html`
    return route === '' ? '/' : `/${route}${trailing === 'never' ? '' : '/'}`
  }
  const prefixes = prefixOf(typeof basePath === 'string' ? basePath : undefined)
  const prefix = mainFolder === undefined ? '' : `/${mainFolder}`
  const listing: FolderRules = {
    orderOf: (path) => orderIn(settingAt(dataOf(path), 'sidebar', 'order')),
    folderAt: (_, name) => ({ label: name }),
    isOwn: () => false,
    asFirstPage: true,
    // By their addresses, of which an index has the shortest.
    compare: (left, right) => ids.compare(idOf(left), idOf(right)),
  }
  const navigation = await codeNavigation(read, {
    code: { format: starlightCode, configs: [config], folders: [], prefix, base: prefixes[0] ?? '' },
    paths,
    root,
    urlOf: (path) => urlOf(path),
    dataOf,
    folders: listing,
  })
  /** The page of the main language that a translation is of. */
  const originalOf = (inside: string, first: string) => {
    if (!folders.has(first)) return `${root}${inside}`
    const bare = `${root}${prefix === '' ? '' : `${prefix.slice(1)}/`}${withoutExtension(inside.slice(first.length + 1))}`
    return ['.md', '.mdx'].map((end) => `${bare}${end}`).find((path) => paths.has(path)) ?? `${bare}.md`
  }
  return {
    name: 'starlight',
    address: typeof address === 'string' ? address : undefined,
    root,
    configPaths: [...new Set([config, manifest, ...navigation.files])],
    ...navigation.site,
    folders: listing,
    originalOf: (path) => {
      const inside = path.slice(root.length)
      return originalOf(inside, inside.slice(0, Math.max(0, inside.indexOf('/'))))
    },
    needs: { fields: ['slug', 'draft'], shown: ['sidebar'] },
    mainLanguage: locales.get('root') ?? (typeof main === 'string' ? (locales.get(main) ?? main) : undefined),
    dialectOf: (path) => ({ ...dialects.starlight, mdx: path.endsWith('.mdx'), slugs }),
    pageFor: (path, data) => {
      const url = urlOf(path, typeof data['slug'] === 'string' ? data['slug'] : undefined)
      if (url === undefined) return undefined
      const inside = path.slice(root.length)
      const first = inside.slice(0, Math.max(0, inside.indexOf('/')))
      const rootLanguage = locales.get('root') ?? 'en'
      const original = originalOf(inside, first)
      return {
        url,
        language: folders.size === 0 ? undefined : folders.has(first) ? first : rootLanguage,
        version: undefined,
        navTitle: textAt(data, 'sidebar', 'label') ?? navigation.site.navigation.get(original)?.label,
        inNavigation: settingAt(data, 'sidebar', 'hidden') !== true && navigation.holds(original, data),
        hidden: data['draft'] === true || data['pagefind'] === false,
      }
    },
    customs: starlightCustoms,
    links: {
      isBuilt: (path) => dataOf(path)['draft'] !== true,
      elsewhere: () => false,
      // Links to files work with a plugin only, and such plugins look at the address.
      serveMarkdown: true,
      relativeTo: 'url',
      ...(/relative-markdown|markdown-links|remark-links|rehype-links/.test(packages)
        ? {}
        : { files: 'none' as const }),
      base: 'written',
      assetRoots: [`${base}public/`],
      prefixes,
      contentFolders: () => [],
      untranslated: (url) => {
        const first = url.split('/', 2)[1] ?? ''
        if (!folders.has(first) || first === mainFolder) return undefined
        return `${mainFolder === undefined ? '' : `/${mainFolder}`}${url.slice(first.length + 1)}`
      },
      mayExist: (url) => custom.length > 0 && servesRoute(custom, `${base}src/pages`, url),
    },
  }
}

const ids = new Intl.Collator('en')

function idOf({ name }: FolderEntry): string {
  return withoutExtension(name).replace(/^index$/, '')
}

/** Until Astro 5 heading ids lost a hyphen at their end. */
function olderAstro(manifest: string): boolean {
  const major = /"astro"\s*:\s*"[^\d"]{0,3}(\d+)/.exec(manifest)?.[1]
  return major !== undefined && Number(major) < 6
}
