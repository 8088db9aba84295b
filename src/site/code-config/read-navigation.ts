import type { ReadFile } from '../files.ts'
import type { WrittenRedirect } from '../navigation/bracket-redirects.ts'
import { folderOf, resolvePath } from '../text/paths.ts'
import { parseScript, type Script } from './parse-script.ts'
import { createResolver, keyOf, type Resolver, textOf, type Value, propertyOf } from './resolve.ts'
import { type CodeName, outermost, type Region, type Sidebar, objectSource } from './sidebar.ts'
import type { FrontMatterData } from '../pages/page.ts'
import type { CodeFramework, NavigationFile } from '../site.ts'
import type { AnyNode } from 'acorn'

/** How a framework writes its navigation in code. */
export interface CodeFormat {
  framework: CodeFramework
  /** Reads the configuration, or a file that holds more of it. */
  readConfig(resolver: Resolver, script: Script): ConfigNavigation
  /** Reads a file of sidebars, where docs folders have them. */
  readSidebars?(resolver: Resolver, script: Script): Sidebar
  /** How sidebars of docs folders name a page: `inside` is its path in its folder. */
  idOf?: (inside: string, data: FrontMatterData, options?: { withNumbers: boolean }) => string
  /** The address by which sidebars name a page that sets it itself. */
  ownAddress?: (data: FrontMatterData) => string | undefined
  /** Whether front matter sets ids or addresses of pages. */
  readsFrontMatter: boolean
  entry: EntryFormat
}

interface EntryFormat {
  /** How an entry names its page where there is none to copy from. */
  usual: CodeName['form']
  labelKey: 'label' | 'text'
  /** Writes a title so that it is shown as it is. */
  labelOf?: (title: string) => string
  /** Ends an address as another one ends. */
  endLike: (address: string, like: string) => string
}

/** With a slash at its end where another address has one. */
export function endWithSlashLike(address: string, like: string): string {
  if (address.length <= 1 || like.length <= 1) return address
  const bare = address.replace(/\/$/, '')
  return like.endsWith('/') ? `${bare}/` : bare
}

/** What one file of configuration says. */
export interface ConfigNavigation {
  sidebars: readonly Sidebar[]
  /** A list of `{from, to}`, or an object from address to address. */
  redirects?: Value | undefined
  /** Pages that the top bar and the footer name, with the docs plugin that has the page. */
  links?: readonly { plugin: string; page: CodeName }[]
}

/** The code that a site's navigation is in. */
export interface CodeSite {
  format: CodeFormat
  /** The configuration, and files that hold more of it. */
  configs: readonly string[]
  folders: readonly DocsFolder[]
  /** Prefix of addresses that entries leave out: `/en` where the main language has a folder. */
  prefix: string
  /** The path that the site is served below, if redirects have to repeat it. */
  base: string
}

export interface DocsFolder {
  /** With a slash at its end. */
  path: string
  /** The id of the docs plugin. */
  plugin: string
  /** The file of its sidebars. */
  sidebars: string | undefined
}

export interface NavigationCode {
  /** Sidebars with the folder whose pages they name. */
  parts: { folder: DocsFolder | undefined; sidebar: Sidebar }[]
  /** A list of `{from, to}`, or an object from address to address. */
  redirects: Value | undefined
  /** Objects that these redirects take in by `...`. */
  spreadRedirects: Value[]
  regions: Region[]
  /** Every file that was looked at. */
  files: string[]
}

const maxFiles = 100
const maxRounds = 6

/** Reads a site's navigation out of its code without running any of it. */
export async function readNavigation(
  read: ReadFile,
  { code, paths }: { code: CodeSite; paths: ReadonlySet<string> },
): Promise<NavigationCode> {
  const scripts = new Map<string, Script | undefined>()
  const files = new Set([...code.configs, ...code.folders.flatMap(({ sidebars }) => sidebars ?? [])])
  for (let round = 1; ; round++) {
    for (const path of [...files].slice(0, maxFiles)) {
      if (scripts.has(path)) continue
      const text = paths.has(path) ? await read(path) : undefined
      scripts.set(path, text === undefined ? undefined : await parseScript(path, text))
    }
    const resolver = createResolver((from, specifier) => {
      const path = importedPath(from, specifier, { paths, base: folderOf(code.configs[0] ?? '') })
      if (path === undefined) return undefined
      files.add(path)
      return scripts.get(path)
    })
    const navigation = readBounded(resolver, code, scripts)
    if (round === maxRounds || [...files].slice(0, maxFiles).every((path) => scripts.has(path)))
      return { ...navigation, files: [...files].filter((path) => isSource(path, code, navigation.regions)) }
  }
}

/** Code that is circular, or too large to follow, counts as unreadable. */
function readBounded(
  resolver: Resolver,
  code: CodeSite,
  scripts: ReadonlyMap<string, Script | undefined>,
): Omit<NavigationCode, 'files'> {
  try {
    return readAll(resolver, code, scripts)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const unread = { ...nothing(), complete: false }
    const folders = code.folders.length === 0 ? [undefined] : code.folders
    return {
      parts: folders.map((folder) => ({ folder, sidebar: unread })),
      redirects: undefined,
      spreadRedirects: [],
      regions: [],
    }
  }
}

function readAll(
  resolver: Resolver,
  code: CodeSite,
  scripts: ReadonlyMap<string, Script | undefined>,
): Omit<NavigationCode, 'files'> {
  const parts: NavigationCode['parts'] = []
  const regions: Region[] = []
  let redirects: Value | undefined
  const add = (folder: DocsFolder | undefined, sidebar: Sidebar) => parts.push({ folder, sidebar })
  const links: NonNullable<ConfigNavigation['links']>[number][] = []
  const configs = code.configs.map((path) => scripts.get(path))
  for (const [index, config] of configs.entries()) {
    if (config === undefined) {
      if (index === 0) add(undefined, { ...nothing(), complete: false })
      continue
    }
    const navigation = code.format.readConfig(resolver, config)
    for (const sidebar of navigation.sidebars) add(undefined, sidebar)
    redirects ??= navigation.redirects
    links.push(...(navigation.links ?? []))
  }
  for (const folder of code.folders) {
    if (folder.sidebars === undefined) continue
    const script = scripts.get(folder.sidebars)
    const sidebar = script && code.format.readSidebars?.(resolver, script)
    add(folder, sidebar ?? { ...nothing(), complete: false })
  }
  // A page stands where a sidebar has it, and at the top bar's link only if none has.
  for (const { plugin, page } of links) {
    const sidebar = { ...nothing(), pages: [page], regions: [{ ...page, kind: 'address' as const }] }
    add(
      code.folders.find((folder) => folder.plugin === plugin),
      sidebar,
    )
  }
  for (const { sidebar } of parts) regions.push(...sidebar.regions)
  if (redirects !== undefined)
    regions.push({ file: redirects.script, node: redirects.node, kind: 'redirects' })
  const spreadRedirects = redirects === undefined ? [] : spreadsOf(resolver, redirects)
  return { parts, redirects, spreadRedirects, regions: outermost(regions) }
}

function spreadsOf(resolver: Resolver, { script, node }: Value): Value[] {
  if (node.type !== 'ObjectExpression') return []
  return node.properties.flatMap((property) =>
    property.type === 'SpreadElement' ? [resolver.resolve({ script, node: property.argument })] : [],
  )
}

/** A JSON file is part of the navigation only if entries are in it; others give a name or a version. */
function isSource(path: string, code: CodeSite, regions: readonly Region[]): boolean {
  if (!path.endsWith('.json')) return true
  return (
    code.folders.some(({ sidebars }) => sidebars === path) || regions.some(({ file }) => file.path === path)
  )
}

function nothing(): Sidebar {
  return { pages: [], lists: [], folders: [], complete: true, regions: [] }
}

const endings = [
  '',
  '.ts',
  '.js',
  '.mts',
  '.mjs',
  '.cts',
  '.cjs',
  '.json',
  '/index.ts',
  '/index.js',
  '/index.mts',
  '/index.mjs',
]

/** The file of this repository that an import names; undefined for packages. */
export function importedPath(
  from: string,
  specifier: string,
  { paths, base }: { paths: ReadonlySet<string>; base: string },
): string | undefined {
  const own = specifier.startsWith('@site/') ? `./${specifier.slice('@site/'.length)}` : specifier
  if (!/^\.{1,2}(?:\/|$)/.test(own)) return undefined
  const path = resolvePath(own === specifier ? folderOf(from) : base, own)
  if (path === undefined) return undefined
  return endings
    .map((ending) => `${path}${ending}`)
    .find((name) => paths.has(name) && /\.(?:[cm]?[jt]s|json)$/.test(name))
}

export function navigationFiles(framework: CodeFramework, regions: readonly Region[]): NavigationFile[] {
  const files = new Map<string, NavigationFile & { regions: NavigationFile['regions'][number][] }>()
  for (const { file: script, node, kind } of regions) {
    const { path, text } = script
    const file = files.get(path) ?? { path, framework, length: text.length, regions: [] }
    file.regions.push({ start: node.start, end: node.end, kind })
    files.set(path, file)
  }
  return [...files.values()]
}

/** The plain redirects of a list of `{from, to}` or of an object from address to address. */
export function redirectEntries({ script, node }: Value): WrittenRedirect[] {
  if (node.type === 'ArrayExpression')
    return node.elements.flatMap((entry) => (entry ? listedRedirects(script.text, entry) : []))
  if (node.type !== 'ObjectExpression') return []
  return node.properties.flatMap((property) => {
    const from = property.type === 'Property' ? keyOf(property) : undefined
    if (property.type !== 'Property' || from === undefined) return []
    // Astro takes `{ status, destination }` as well.
    const toNode = propertyOf(property.value, 'destination')?.value ?? property.value
    return [{ from, fromNode: property.key, to: textOf(toNode), toNode, whole: property }]
  })
}

function listedRedirects(text: string, entry: AnyNode): WrittenRedirect[] {
  const [from, toNode] = [propertyOf(entry, 'from')?.value, propertyOf(entry, 'to')?.value]
  if (from === undefined || toNode === undefined) return []
  const sources = from.type === 'ArrayExpression' ? from.elements : [from]
  const whole = sources.length === 1 ? objectSource(text, entry) : undefined
  return sources.flatMap((source) => {
    const address = textOf(source ?? undefined)
    if (source === null || address === undefined) return []
    return [{ from: address, fromNode: source, to: textOf(toNode), toNode, whole }]
  })
}
