import type { ReadFile } from '../../files.ts'
import { generatedLists, otherRoutes } from './made-pages.ts'
import { isFolderPage, pagesOfCategories, readCategories } from './categories.ts'
import { docusaurusCustoms } from './customs.ts'
import { docusaurusCode, withoutNumber } from './sidebars.ts'
import { codeNavigation } from '../../code-config/code-navigation.ts'
import { type DocsInstance, docusaurusFolders, docusaurusInstances } from './instances.ts'
import { byCharacters, type FolderRules, orderIn } from '../../navigation/arrange-folders.ts'
import { isAsset, isMarkdown, withoutExtension } from '../../links/page-path.ts'
import { prefixOf, textAt } from '../settings.ts'
import { folderOf, outerSlashes } from '../../text/paths.ts'
import { scriptSettings } from '../../code-config/script-settings.ts'
import type { PageDialect } from '../../pages/dialect.ts'
import type { SitePage } from '../../pages/page.ts'
import { dialects } from '../dialects.ts'
import type { Found, Framework, NavigationSource } from '../../site.ts'

type Data = Readonly<Record<string, unknown>>

/** Docusaurus, found by its configuration in `base`. */
export async function docusaurusSite(read: ReadFile, input: Found): Promise<Framework> {
  const { paths, base, config, dataOf } = input
  const source = (await read(config)) ?? ''
  const settings = scriptSettings(source)
  const instances = await docusaurusInstances(read, { paths, base, settings })
  const locales = new Set<string>()
  for (const path of paths) {
    const match = /^i18n\/([^/]+)\//.exec(path.startsWith(base) ? path.slice(base.length) : '')
    if (match?.[1] !== undefined) locales.add(match[1])
  }
  const main = settings.find(({ keys }) => keys.at(-1) === 'defaultLocale')?.value
  const mainLocale = typeof main === 'string' ? main : 'en'
  const baseUrl = settings.find(({ keys }) => keys.at(-1) === 'baseUrl' && keys.length <= 2)?.value
  const address = settings.find(({ keys }) => keys.at(-1) === 'url' && keys.length === 1)?.value
  const trailing = settings.find(({ keys }) => keys.at(-1) === 'trailingSlash')?.value
  const routes = instances.map((instance) => `/${instance.route}`)
  const root = instances.at(0)?.folder ?? `${base}docs/`
  const settled = {
    mainLocale,
    several: locales.size > 0,
    trailing: typeof trailing === 'boolean' ? trailing : undefined,
  }
  const placed = (path: string) => {
    for (const instance of instances) {
      const place = placeOf(path, base, instance)
      if (place) return place
    }
    return undefined
  }
  let firsts: Set<string> | undefined
  /** Whether an address is in a folder with pages. Docs that are served at `/` share it with other routes. */
  const isBesidePages = (url: string): boolean => {
    if (firsts === undefined) {
      firsts = new Set()
      for (const path of paths) {
        const place = placed(path)
        const own = place && page(place, {}, settled)?.url.split('/')
        if (own !== undefined && own.length > 2 && own[2] !== '') firsts.add(own[1] ?? '')
      }
    }
    return firsts.has(url.split('/', 2)[1] ?? '')
  }
  const folders = await docusaurusFolders({ config, source, paths, instances })
  const categories = await readCategories(read, paths, folders)
  const ownPages = pagesOfCategories(paths, folders, categories)
  const listing: FolderRules = {
    orderOf: (path) => {
      const name = path.slice(path.lastIndexOf('/') + 1)
      return orderIn(dataOf(path)['sidebar_position']) ?? numberOf(name)
    },
    folderAt: (path, name) => {
      const { label, order } = categories.get(path) ?? {}
      const own = ownPages.get(path)
      const data = own === undefined ? {} : dataOf(own)
      return {
        label: label ?? textAt(data, 'sidebar_label') ?? textAt(data, 'title') ?? withoutNumber(name),
        order: order ?? (own === undefined ? undefined : listing.orderOf(own)) ?? numberOf(name),
      }
    },
    // An index is a category's page; the folder that is listed as a whole has none.
    isOwn: (path, isTop) => !isTop && ownPages.get(folderOf(path)) === path,
    compare: byCharacters,
  }
  const navigation = await codeNavigation(read, {
    code: { format: docusaurusCode, configs: [config], folders, prefix: '', base: '' },
    paths,
    root,
    urlOf: (path) => {
      const place = placed(path)
      return place && page(place, dataOf(path), settled)?.url
    },
    dataOf,
    folders: listing,
  })
  const isOtherRoute = otherRoutes(source, { paths, base, locales })
  const lists = await generatedLists(read, { files: navigation.files, categories })
  return {
    name: 'docusaurus',
    address: typeof address === 'string' ? address : undefined,
    root,
    configPaths: [
      ...new Set([
        config,
        `${base}versions.json`,
        ...instances.map((instance) => instance.versionsFile),
        ...navigation.files,
      ]),
    ],
    ...navigation.site,
    identityOf: (path) => {
      const instance = instances.find((one) => placeOf(path, base, one) !== undefined)
      const place = instance && placeOf(path, base, instance)
      return place === undefined ? path : `${instance?.folder}${place.inside}`
    },
    originalOf: (path) => {
      const place = placed(path)
      return place === undefined ? path : `${place.folder}${place.inside}`
    },
    needs: {
      fields: ['slug', 'id', 'draft'],
      shown: ['sidebar_label', 'sidebar_position', 'parse_number_prefixes', 'title'],
    },
    mainLanguage: typeof main === 'string' ? main : undefined,
    dialectOf: () => dialects.docusaurus,
    configuredDialect,
    customs: docusaurusCustoms(config),
    importFolders: new Map([['@site/', folderOf(config)]]),
    pageFor: (path, data) => {
      const place = placed(path)
      const served = place && page(place, data, settled)
      if (place === undefined || served === undefined) return undefined
      const original = `${place.folder}${place.inside}`
      return {
        ...served,
        navTitle: served.navTitle ?? navigation.site.navigation.get(original)?.label,
        inNavigation: navigation.holds(original, data),
      }
    },
    links: {
      isBuilt: (path) => dataOf(path)['draft'] !== true,
      elsewhere: () => false,
      relativeTo: 'url',
      files: 'whole',
      base: 'optional',
      // A link to a file is looked up in the same version of the same part of the site.
      reaches: (from, to) => {
        const [own, other] = [placed(from), placed(to)]
        return own?.folder === other?.folder && own?.version === other?.version
      },
      assetRoots: [`${base}static/`, base],
      prefixes: prefixOf(typeof baseUrl === 'string' ? baseUrl : undefined),
      contentFolders: (path) => {
        for (const instance of instances) {
          const place = placeOf(path, base, instance)
          if (place) return [path.slice(0, path.length - place.inside.length), instance.folder, base]
        }
        return []
      },
      untranslated: (url) => {
        const first = url.split('/', 2)[1] ?? ''
        return locales.has(first) ? url.slice(first.length + 1) || '/' : undefined
      },
      // Lists that the build makes of a category; blog posts, pages in code and generated references have addresses that no Markdown file shows.
      mayExist: (url) =>
        !isAsset(url) &&
        (lists(url) ||
          (isOtherRoute(url) &&
            !routes.some((route) =>
              route === '/' ? isBesidePages(url) : url === route || url.startsWith(`${route}/`),
            ))),
    },
  }
}

const maxConfigs = 20

/** Markdown is MDX unless the configuration says otherwise. Of a repository with several, any may. */
async function configuredDialect({
  read,
  paths,
}: Pick<NavigationSource, 'read' | 'paths'>): Promise<Partial<PageDialect>> {
  const configs = [...paths].filter((path) => /(?:^|\/)docusaurus\.config\.[cm]?[jt]s$/.test(path))
  const texts: string[] = []
  for (const path of configs.slice(0, maxConfigs)) texts.push((await read(path)) ?? '')
  const isNamed = (name: RegExp) => texts.some((text) => name.test(text))
  const detects = texts.every((text) => {
    const code = text.split('/*').map((piece, index) => (index === 0 ? piece : piece.split('*/', 2)[1]))
    return /\bmarkdown\s{0,20}:\s{0,20}\{\s{0,200}format\s{0,20}:\s{0,20}["']detect["']/.test(
      code.join(' ').replaceAll(/\/\/[^\n]*/g, ''),
    )
  })
  return { either: isNamed(/\bformat\b/), detects, math: isNamed(/\bremark-?math\b/i) }
}

interface Place {
  inside: string
  /** The folder of its original, where it is a translation. */
  folder: string
  language: string | undefined
  version: string | undefined
  /** Route without slashes at its ends. */
  route: string
}

function placeOf(path: string, base: string, instance: DocsInstance): Place | undefined {
  const place = anyPlaceOf(path, base, instance)
  return place === undefined || instance.isExcluded(place.inside) ? undefined : place
}

function anyPlaceOf(path: string, base: string, instance: DocsInstance): Place | undefined {
  const { folder, route } = instance
  const under = (root: string) => (isMarkdown(path, root) ? path.slice(root.length) : undefined)
  const current = under(folder)
  if (current !== undefined) {
    if (!instance.hasCurrent) return undefined
    return {
      inside: current,
      folder,
      language: undefined,
      version: instance.currentVersion,
      route: join(route, instance.currentPath),
    }
  }
  const versioned = under(instance.versionedFolder)
  if (versioned !== undefined) return versionPlace(versioned, instance, undefined)
  const translated = under(`${base}i18n/`)
  if (translated === undefined) return undefined
  const [language, plugin, version, ...rest] = translated.split('/')
  if (language === undefined || plugin !== instance.translationFolder || version === undefined)
    return undefined
  if (version === 'current') {
    if (!instance.hasCurrent) return undefined
    return {
      inside: rest.join('/'),
      folder,
      language,
      version: instance.currentVersion,
      route: join(language, route, instance.currentPath),
    }
  }
  return versionPlace([version, ...rest].join('/'), instance, language)
}

function versionPlace(
  inside: string,
  instance: DocsInstance,
  language: string | undefined,
): Place | undefined {
  const slash = inside.indexOf('/')
  const name = inside.slice(0, slash)
  if (slash === -1 || !name.startsWith('version-')) return undefined
  const version = name.slice('version-'.length)
  const known = instance.versions.get(version)
  // A version that `versions.json` no longer lists is not on the site.
  if (known === undefined) return undefined
  return {
    inside: inside.slice(slash + 1),
    folder: `${instance.versionedFolder}version-${version}/`,
    language,
    version,
    route: join(language ?? '', instance.route, known),
  }
}

function page(
  place: Place,
  data: Data,
  site: { mainLocale: string; several: boolean; trailing: string | boolean | undefined },
): SitePage | undefined {
  const parts = withoutExtension(place.inside).split('/')
  if (parts.some((part) => part.startsWith('_'))) return undefined
  const numbered = data['parse_number_prefixes'] !== false
  const clean = parts.map((part) => (numbered ? withoutNumber(part) : part))
  const folder = clean.slice(0, -1)
  const file = clean.at(-1) ?? ''
  const id = typeof data['id'] === 'string' ? data['id'] : undefined
  const slug =
    typeof data['slug'] === 'string' || typeof data['slug'] === 'number' ? String(data['slug']) : undefined
  let inside: string
  if (slug !== undefined && slug !== '') inside = slug.startsWith('/') ? slug : resolve(folder, slug)
  else if (isFolderPage(file, folder.at(-1))) inside = folder.length === 0 ? '/' : `/${folder.join('/')}/`
  else inside = `/${[...folder, id ?? file].join('/')}`
  const whole = `/${place.route}${inside}`.replace(/\/{2,}/g, '/')
  const trimmed = whole.replace(/(?<!\/)\/+$/, '')
  const url =
    trimmed === ''
      ? '/'
      : site.trailing === true
        ? `${trimmed}/`
        : site.trailing === false
          ? trimmed
          : whole === `/${place.route}/`
            ? trimmed
            : whole
  return {
    url,
    language: site.several ? (place.language ?? site.mainLocale) : undefined,
    version: place.version,
    navTitle: typeof data['sidebar_label'] === 'string' ? data['sidebar_label'] : undefined,
    inNavigation: true,
    hidden: data['draft'] === true || data['unlisted'] === true,
  }
}

/** The number that a name starts with, as in `01-intro`. */
function numberOf(name: string): number | undefined {
  return withoutNumber(name) === name ? undefined : Number.parseInt(name, 10)
}

function resolve(folder: readonly string[], slug: string): string {
  const parts = [...folder]
  for (const part of slug.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return `/${parts.join('/')}`
}

function join(...parts: readonly string[]): string {
  return parts
    .map((part) => part.replace(outerSlashes, ''))
    .filter((part) => part !== '')
    .join('/')
}
