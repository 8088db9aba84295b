import type { ReadFile } from '../../files.ts'
import { folderPath } from '../../links/page-path.ts'
import { createPattern } from '../../text/glob.ts'
import { folderOf, joinPath, outerSlashes } from '../../text/paths.ts'
import type { Setting } from '../../code-config/script-settings.ts'
import { defaultPlugin, readDocusaurusConfig } from './sidebars.ts'
import { parseScript } from '../../code-config/parse-script.ts'
import { type DocsFolder, importedPath } from '../../code-config/read-navigation.ts'
import { createResolver } from '../../code-config/resolve.ts'

/** One use of the docs plugin. Folders are repository paths with a slash at their end. */
export interface DocsInstance {
  folder: string
  versionedFolder: string
  /** Below `i18n/<language>/`. */
  translationFolder: string
  versionsFile: string
  /** First part of its addresses, without slashes: `docs`, or `''`. */
  route: string
  /** Name of the version in `folder`, and its path below the route. */
  currentVersion: string | undefined
  currentPath: string
  /** Path below the route of each older version that is built. */
  versions: ReadonlyMap<string, string>
  /** Whether the docs of `folder` are built, where there are older ones. */
  hasCurrent: boolean
  /** Whether a file below a folder of docs is no page. */
  isExcluded: (inside: string) => boolean
}

/** The docs plugins of a Docusaurus site, as far as its configuration states them as literals. */
export async function docusaurusInstances(
  read: ReadFile,
  input: { paths: ReadonlySet<string>; base: string; settings: readonly Setting[] },
): Promise<DocsInstance[]> {
  const { paths, base, settings } = input
  const objects = new Map<number, Map<string, Setting['value']>>()
  const keysOf = new Map<number, readonly string[]>()
  for (const { keys, value, object } of settings) {
    const name = keys.at(-1)
    if (name === undefined) continue
    const entries = objects.get(object) ?? new Map<string, Setting['value']>()
    objects.set(object, entries.set(name, value))
    keysOf.set(object, keys.slice(0, -1))
  }
  const instances: DocsInstance[] = []
  const exists = (folder: string) => [...paths].some((path) => path.startsWith(folder))
  for (const [object, found] of objects) {
    const keys = keysOf.get(object) ?? []
    const isPreset = keys.at(-1) === 'docs'
    const isPlugin =
      found.has('id') && found.has('path') && (found.has('routeBasePath') || found.has('sidebarPath'))
    if (!isPreset && !isPlugin) continue
    const id = isPreset ? undefined : text(found.get('id'))
    const folder = folderPath(joinPath(base, text(found.get('path')) ?? 'docs') ?? `${base}docs`)
    if (!exists(folder) || instances.some((instance) => instance.folder === folder)) continue
    const route = text(found.get('routeBasePath')) ?? 'docs'
    instances.push(await instance(read, { paths, base, settings, found, id, folder, route }))
  }
  if (
    !instances.some((instance) => instance.translationFolder === defaultTranslations) &&
    exists(`${base}docs/`)
  ) {
    const folder = `${base}docs/`
    if (!instances.some((instance) => instance.folder === folder)) {
      instances.unshift(
        await instance(read, {
          paths,
          base,
          settings,
          found: new Map(),
          id: undefined,
          folder,
          route: 'docs',
        }),
      )
    }
  }
  const main = instances.find((instance) => instance.translationFolder === defaultTranslations)
  // The main one comes first, but a folder inside of another one comes before it.
  return instances.sort((left, right) => {
    if (left.folder.startsWith(right.folder)) return -1
    if (right.folder.startsWith(left.folder)) return 1
    return left === main ? -1 : right === main ? 1 : 0
  })
}

const defaultTranslations = 'docusaurus-plugin-content-docs'

async function instance(
  read: ReadFile,
  input: {
    paths: ReadonlySet<string>
    base: string
    settings: readonly Setting[]
    found: ReadonlyMap<string, Setting['value']>
    id: string | undefined
    folder: string
    route: string
  },
): Promise<DocsInstance> {
  const { paths, base, settings, found, id } = input
  const prefix = id === undefined || id === 'default' ? '' : `${id}_`
  const versionsFile = `${base}${prefix}versions.json`
  const versionedFolder = `${base}${prefix}versioned_docs/`
  const listed = paths.has(versionsFile) ? names(await read(versionsFile)) : []
  const present = listed.filter((name) =>
    [...paths].some((path) => path.startsWith(`${versionedFolder}version-${name}/`)),
  )
  const own = (name: string, key: string) =>
    text(
      settings.find(({ keys }) => keys.at(-1) === key && keys.at(-2) === name && keys.includes('versions'))
        ?.value,
    )
  // The newest version is served at the route itself. If a build makes its folder, the current one is taken for it.
  const stated = text(found.get('lastVersion'))
  const newest = stated ?? listed[0]
  const currentIsNewest = newest === undefined || newest === 'current' || !present.includes(newest)
  const versions = new Map<string, string>()
  const built = texts(found.get('onlyIncludeVersions'))
  const isBuilt = (name: string) => built.length === 0 || built.includes(name)
  for (const name of present)
    if (isBuilt(name)) versions.set(name, own(name, 'path') ?? (name === newest ? '' : name))
  const excluded = texts(found.get('exclude')).map(createPattern)
  return {
    folder: input.folder,
    versionedFolder,
    translationFolder: prefix === '' ? defaultTranslations : `${defaultTranslations}-${id}`,
    versionsFile,
    route: input.route.replace(outerSlashes, ''),
    currentVersion:
      present.length === 0
        ? undefined
        : (own('current', 'label') ?? (currentIsNewest ? (newest ?? 'current') : 'next')),
    currentPath: own('current', 'path') ?? (currentIsNewest ? '' : 'next'),
    versions,
    hasCurrent: present.length === 0 || (found.get('includeCurrentVersion') !== false && isBuilt('current')),
    isExcluded: (inside) => excluded.some((matches) => matches(inside)),
  }
}

function names(source: string | undefined): string[] {
  try {
    const value: unknown = JSON.parse(source ?? '[]')
    return Array.isArray(value) ? value.filter((name) => typeof name === 'string').slice(0, 500) : []
  } catch {
    return []
  }
}

function text(value: Setting['value'] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function texts(value: Setting['value'] | undefined): readonly string[] {
  return typeof value === 'object' ? value : []
}

/** Every folder of docs, current and older ones, with the file of its sidebars. */
export async function docusaurusFolders(input: {
  config: string
  source: string
  paths: ReadonlySet<string>
  instances: readonly DocsInstance[]
}): Promise<DocsFolder[]> {
  const { config, source, paths, instances } = input
  const base = folderOf(config)
  const script = await parseScript(config, source)
  const stated = script
    ? readDocusaurusConfig(
        createResolver(() => undefined),
        script,
      ).sidebarPaths
    : []
  const at = (path: string | undefined) =>
    path === undefined
      ? undefined
      : importedPath(config, path.replace(/^(?!\.{1,2}\/|@site\/)\/?/, './'), { paths, base })
  return instances.flatMap((instance) => {
    const id = instance.translationFolder.slice(defaultTranslations.length + 1)
    const plugin = id === '' ? defaultPlugin : id
    const own = stated.find((one) => one.plugin === plugin)
    // Of a configuration that cannot be read, the usual file of sidebars is taken.
    const usual = script === undefined && plugin === defaultPlugin ? './sidebars' : undefined
    const current = { path: instance.folder, plugin, sidebars: at(own?.path ?? usual) }
    const older = [...instance.versions.keys()].map((version) => {
      const sidebars = `${instance.versionedFolder.replace(/_docs\/$/, '_sidebars/')}version-${version}-sidebars.json`
      return {
        path: `${instance.versionedFolder}version-${version}/`,
        plugin,
        sidebars: paths.has(sidebars) ? sidebars : undefined,
      }
    })
    return [current, ...older]
  })
}
