import type { Dialect } from '../../pages/dialect.ts'
import type { ReadFile } from '../../files.ts'
import { codeNavigation } from '../../code-config/code-navigation.ts'
import { folderPath, isMarkdown, withoutExtension } from '../../links/page-path.ts'
import { createPattern } from '../../text/glob.ts'
import { servesRoute } from '../../links/routes.ts'
import { joinPath } from '../../text/paths.ts'
import { scriptSettings, type Setting } from '../../code-config/script-settings.ts'
import { dialects } from '../dialects.ts'
import type { Found, Framework } from '../../site.ts'
import { prefixOf } from '../settings.ts'
import { vitepressCustoms } from './customs.ts'
import { vitepressCode } from './sidebars.ts'

const configNames = ['ts', 'mts', 'js', 'mjs', 'cjs', 'cts'].flatMap((end) => [
  `config.${end}`,
  `config/index.${end}`,
])

/** The signs that Vue is given for its expressions in place of `{{` and `}}`. */
const delimiters = /\bdelimiters\s*:\s*\[\s*(['"`])([^'"`\n]{1,20})\1\s*,\s*(['"`])([^'"`\n]{1,20})\3/

/** VitePress, found by its `.vitepress/` folder in `base`. */
export async function vitepressSite(read: ReadFile, input: Found): Promise<Framework> {
  const { paths, base } = input
  const configPaths = configNames.map((name) => `${base}.vitepress/${name}`)
  const present = configPaths.find((path) => paths.has(path))
  const source = present === undefined ? undefined : await read(present)
  const settings = scriptSettings(source ?? '')
  const text = (key: string) => {
    // Plugins have settings of the same names: only those at the top are VitePress's own.
    const setting = settings.find(
      ({ keys }) =>
        keys.at(-1) === key && (keys.length === 1 || (keys.length === 2 && keys[0] === 'vitepress')),
    )?.value
    return typeof setting === 'string' ? setting : undefined
  }
  const sourceFolder = joinPath(base, text('srcDir') ?? '') ?? base
  const root = folderPath(sourceFolder)
  // `/guide/x.html` always works, as it is the built file; `/guide/x` works on some hosts. So addresses have no
  // extension only if the configuration says `cleanUrls: true`.
  const clean = settings.some(({ keys, value }) => keys.at(-1) === 'cleanUrls' && value === true)
  const locales = new Map<string, string>()
  for (const { keys, value } of settings) {
    const at = keys.indexOf('locales')
    const name = keys[at + 1]
    if (at !== -1 && name !== undefined && keys.at(-1) === 'lang' && typeof value === 'string')
      locales.set(name, value)
  }
  const mainLanguage = locales.get('root') ?? text('lang')
  const rewritten = createRewrites(
    settings.flatMap(({ keys, value }) =>
      keys.at(-2) === 'rewrites' && typeof value === 'string' ? [[keys.at(-1) ?? '', value] as const] : [],
    ),
  )
  const excluded = listOf(settings, 'srcExclude').map(createPattern)
  const dialect = {
    ...dialects.vitepress,
    ...(await ownIdRules(read, configScripts(paths, base))),
  }
  const urlOf = (path: string): string | undefined => {
    if (!isMarkdown(path, root) || !path.endsWith('.md')) return undefined
    const inside = withoutExtension(path.slice(root.length))
    if (/(?:^|\/)(?:public|node_modules|dist|snippets)\//.test(inside)) return undefined
    if (excluded.some((test) => test(`${inside}.md`))) return undefined
    // Pages are made of it from data.
    if (inside.includes('[')) return undefined
    const served = withoutExtension(rewritten(`${inside}.md`))
    const isIndex = served === 'index' || served.endsWith('/index')
    return isIndex ? `/${served.slice(0, -'index'.length)}` : `/${served}${clean ? '' : '.html'}`
  }
  const isIgnored = ignoredLinks(source ?? '')
  const routes = [...paths].filter(
    (path) => path.startsWith(root) && path.includes('[') && path.endsWith('.md'),
  )
  const configs = present === undefined ? [] : [present, ...additionalConfigs(paths, root)]
  const navigation = await codeNavigation(read, {
    code: { format: vitepressCode, configs, folders: [], prefix: '', base: '' },
    paths,
    root,
    urlOf,
    dataOf: () => ({}),
  })
  return {
    name: 'vitepress',
    root,
    configPaths: present === undefined ? configPaths.slice(0, 2) : [...navigation.files],
    ...navigation.site,
    mainLanguage,
    dialectOf: () => dialect,
    configuredDialect: async () => {
      const [, , open, , close] = delimiters.exec(source ?? '') ?? []
      if (open === undefined || close === undefined) return {}
      return {
        signs: [
          [open, '{{'],
          [close, '}}'],
        ],
      }
    },
    pageFor: (path, data) => {
      const url = urlOf(path)
      if (url === undefined) return undefined
      return {
        url,
        language: undefined,
        version: undefined,
        navTitle: navigation.site.navigation.get(path)?.label,
        inNavigation: navigation.holds(path, data),
        hidden:
          data['search'] === false || data['draft'] === true || (root === '' && isAboutRepository(path)),
      }
    },
    customs: vitepressCustoms(root),
    links: {
      elsewhere: () => false,
      relativeTo: 'file',
      base: 'added',
      // A page that is served elsewhere is not found by its file.
      reaches: (_, to) => {
        const inside = to.slice(root.length)
        return rewritten(inside) === inside
      },
      assetRoots: [`${root}public/`, root],
      prefixes: prefixOf(text('base')),
      contentFolders: () => [root],
      untranslated: () => undefined,
      mayExist: (url) => isIgnored(url) || servesRoute(routes, root.slice(0, -1), url.replace(/\.html$/, '')),
    },
  }
}

/** Files for who opens the repository, of which the generator makes pages too. */
function isAboutRepository(path: string): boolean {
  return /^(?:README|CONTRIBUTING|CHANGELOG|LICENSE|SECURITY|CODE_OF_CONDUCT)\.md$/.test(path)
}

/** The texts of a list that stands in the code as it is. */
function listOf(settings: readonly Setting[], key: string): readonly string[] {
  const value = settings.find(({ keys }) => keys.at(-1) === key)?.value
  return typeof value === 'object' ? value : []
}

/** Addresses in `ignoreDeadLinks`: texts, and regular expressions that are plain text. */
function ignoredLinks(source: string): (url: string) => boolean {
  const list = /\bignoreDeadLinks\s{0,20}:\s{0,20}\[([^]{1,2000})/.exec(source)?.[1] ?? ''
  const tests: ((url: string) => boolean)[] = []
  const entry =
    /\s{0,200}(?:'([^'\n]{1,200})'|"([^"\n]{1,200})"|\/(\^?)((?:\\[/.-]|[\w-]){1,200})[^\n,]{0,200}),?/y
  for (let match = entry.exec(list); match !== null; match = entry.exec(list)) {
    const [, single, double, start, pattern] = match
    const exact = single ?? double
    const text = pattern?.replaceAll('\\', '')
    if (exact !== undefined) tests.push((url) => url === exact)
    else if (text !== undefined)
      tests.push((url) => (start === '^' ? url.startsWith(text) : url.includes(text)))
  }
  return (url) => tests.some((test) => test(url))
}

/** The configuration and what it may import from its folder. */
function configScripts(paths: ReadonlySet<string>, base: string): string[] {
  const start = `${base}.vitepress/config`
  return [...paths].filter((path) => path.startsWith(start) && /\.[cm]?[jt]s$/.test(path)).slice(0, 40)
}

/** What the configuration sets of ids: a `slugify` as VitePress's own, or as that without lower case, and the signs around own ids. */
async function ownIdRules(read: ReadFile, paths: readonly string[]): Promise<Partial<Dialect>> {
  let rules: Partial<Dialect> = {}
  for (const path of paths) {
    const text = (await read(path)) ?? ''
    const open = /\bleftDelimiter:\s{0,5}['"]([^'"\n]{1,5})['"]/.exec(text)?.[1]
    const close = /\brightDelimiter:\s{0,5}['"]([^'"\n]{1,5})['"]/.exec(text)?.[1]
    if (open !== undefined && close !== undefined)
      rules.headings = { ...dialects.vitepress.headings, idDelimiters: [open, close] }
    if (/\bslugify\b/.test(text) && rules.slugs === undefined) rules = { ...rules, ...slugsIn(text) }
  }
  return rules
}

function slugsIn(text: string): Pick<Partial<Dialect>, 'slugs' | 'hasOwnSlugs'> {
  const at = text.search(/\bslugify\s{0,5}[=(]/)
  const [body = ''] = at === -1 ? [] : text.slice(at, at + 2000).split(/\n(?:\}|\s*\n|export\b|const\b)/, 1)
  const steps = body.replace(/\/\/[^\n]*/g, '')
  const isKnown = /normalize\(['"]NFKD['"]\)/.test(steps) && /,\s?['"]-['"]\)/.test(steps)
  const [isLower, isTrimmed] = [steps.includes('.toLowerCase()'), steps.includes('-+$')]
  if (!isKnown || isLower !== isTrimmed) return { hasOwnSlugs: true }
  return { slugs: isLower ? 'vitepress' : 'vitepress-cased', hasOwnSlugs: false }
}

/** Since version 2, a folder of pages may have a `config` file of its own. */
function additionalConfigs(paths: ReadonlySet<string>, root: string): string[] {
  const configs = [...paths].filter(
    (path) =>
      path.startsWith(root) &&
      /(?:^|\/)config\.m?[jt]s$/.test(path) &&
      !/(?:^|\/)(?:\.|node_modules\/)/.test(path),
  )
  return configs.sort().slice(0, 40)
}

/** Where VitePress serves a file, by the `rewrites` of its configuration: `en/:rest*` to `:rest*`. Paths are in the source folder. */
function createRewrites(rules: readonly (readonly [from: string, to: string])[]): (inside: string) => string {
  const known = rules.slice(0, 200)
  return (inside) => {
    for (const [from, to] of known) {
      const parameters = match(from.split('/'), inside.split('/'))
      if (parameters !== undefined) return filled(to, parameters)
    }
    return inside
  }
}

/** Values of a pattern's parameters; undefined where it does not match, or has more than plain parameters. */
function match(pattern: readonly string[], path: readonly string[]): Map<string, string> | undefined {
  const parameters = new Map<string, string>()
  for (const [index, part] of pattern.entries()) {
    const [, name, many] = /^:(\w+)([*+])?$/.exec(part) ?? []
    if (name !== undefined && many !== undefined && index === pattern.length - 1) {
      const rest = path.slice(index)
      return rest.length > 0 || many === '*' ? parameters.set(name, rest.join('/')) : undefined
    }
    const actual = path[index]
    if (actual === undefined) return undefined
    if (name !== undefined && many === undefined) parameters.set(name, actual)
    else if (part !== actual && !fits(part, actual, parameters)) return undefined
  }
  return path.length === pattern.length ? parameters : undefined
}

/** `:name.md` */
function fits(part: string, actual: string, found: Map<string, string>): boolean {
  const [, name, ending = ''] = /^:(\w+)(\.\w+)$/.exec(part) ?? []
  if (name === undefined || !actual.endsWith(ending) || actual.length === ending.length) return false
  found.set(name, actual.slice(0, -ending.length))
  return true
}

function filled(to: string, found: ReadonlyMap<string, string>): string {
  return to.replace(/:(\w+)[*+]?/g, (whole, name: string) => found.get(name) ?? whole)
}
