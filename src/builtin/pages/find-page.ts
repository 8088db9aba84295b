import { folderOf as folderWithSlash, pathEnds } from '../../site/text/paths.ts'
import type { Plan } from '../replay.ts'
import type { Scope } from '../requests/request.ts'
import { listFiles, listPages, type Page } from '../tools.ts'
import { pageEnding } from '../../site/text/markup.ts'

export type FoundPage =
  | { kind: 'one'; page: Page }
  | { kind: 'several'; candidates: Page[] }
  | { kind: 'none'; nearby: Page[] }

/** Finds the page that a person named by path, file name, address or title. No other page is taken for it. */
export function* findPage(named: string): Plan<FoundPage> {
  const result = yield* searchPage(named)
  if (result.kind !== 'several') return result
  const [answer] = yield [{ tool: whichPage, input: whichOf(named, result.candidates) }]
  const page = answer?.ok === true ? result.candidates.find(({ path }) => path === answer.value) : undefined
  return page ? { kind: 'one', page } : result
}

function* searchPage(named: string): Plan<FoundPage> {
  const listing = yield* listPages(trimSlashes(withoutDomain(named)) || named)
  const narrow = choose(named, listing.ok ? listing.value : [])
  if (narrow.kind !== 'none') return narrow
  const all = yield* listPages()
  return choose(named, all.ok ? all.value : [])
}

/** No tool of the agent: the plan of a job answers it, or asks the person. */
export const whichPage = 'which_page'
const whichOne = 'Which one do you mean?'

/** The question which page is meant; its answers are paths. */
function whichOf(named: string, candidates: readonly Page[]) {
  const choices = candidates
    .slice(0, mostChoices)
    .map(({ path, title }) => path + titleAfter(': ', path, title))
  const more =
    candidates.length > mostChoices ? ` There are ${candidates.length}: you can also answer with a path.` : ''
  return { question: `“${named.slice(0, 200)}” matches several pages. ${whichOne}${more}`, choices }
}

/** As many answers as a question has, and as many pages as an explanation lists. */
const mostChoices = 6
const mostShown = 10

/** The path that a person chose as the answer to our question; undefined where that is none. */
export function readChoice(question: string, answer: string): string | undefined {
  const path = answer.trim()
  const isListed = question.split('\n').some((line) => `${line} `.startsWith(`- ${path} `))
  return question.includes(whichOne) && (isListed || /^\S+\.\w+$/.test(path)) ? path : undefined
}

function titleAfter(separator: string, path: string, title: string): string {
  return title === '' || title === path ? '' : separator + title
}

/** Explains to the person who named the page why it could not be found. */
export function explainPage(named: string, found: Exclude<FoundPage, { kind: 'one' }>): string {
  const name = named.slice(0, 200)
  const list = (pages: readonly Page[]) =>
    pages
      .slice(0, mostShown)
      .map(({ path, title }) => `\`${path}\`${title === '' || title === path ? '' : ` (${title})`}`)
      .join(', ') + (pages.length > mostShown ? ` and ${pages.length - mostShown} more` : '')
  if (found.kind === 'several')
    return `“${name}” matches several pages: ${list(found.candidates)}. Name one by its path.`
  const near = found.nearby.length > 0 ? ` Similar pages: ${list(found.nearby)}.` : ''
  return `No page matches “${name}” by path, file name, address or title.${near}`
}

/** Where to search: `paths` for grep and check (undefined is everywhere), and the place in words. */
export type FoundPlace =
  | { ok: true; paths: string[] | undefined; files: boolean; description: string }
  | { ok: false; why: string }

export function* findPlace(scope: Scope): Plan<FoundPlace> {
  if (scope.kind === 'everywhere')
    return { ok: true, paths: undefined, files: false, description: 'everywhere' }
  if (scope.kind === 'folder') {
    const [only, ...others] = yield* findFolders(scope.path)
    if (only !== undefined && others.length === 0)
      return { ok: true, paths: [only], files: false, description: `in ${only}/` }
    return { ok: false, why: explainFolder(scope.path, only === undefined ? [] : [only, ...others]) }
  }
  const page = yield* findPage(scope.named)
  const match = page.kind === 'none' ? ((yield* findFile(scope.named)) ?? page) : page
  if (match.kind === 'none' && scope.named.includes('/') && (yield* findFolders(scope.named)).length > 0)
    return yield* findPlace({ kind: 'folder', path: scope.named })
  if (match.kind !== 'one') return { ok: false, why: explainPage(scope.named, match) }
  const { path, title } = match.page
  return { ok: true, paths: [path], files: true, description: `in ${title || path}` }
}

export function explainFolder(named: string, found: readonly string[]): string {
  if (found.length === 0) return `There is no folder \`${named}/\` with files in it.`
  const listed = found.slice(0, mostShown).map((path) => `\`${path}/\``)
  return `“${named}” matches several folders, such as ${listed.join(', ')}. Name one by its whole path.`
}

/** Finds a folder by its path, or all whose paths end with it. */
export function* findFolders(named: string): Plan<string[]> {
  const path = trimSlashes(named)
  if (path === '') return []
  const inside = yield* listFiles({ path })
  if (inside.ok && inside.value.some((file) => file.startsWith(`${path}/`))) return [path]
  const elsewhere = yield* listFiles({ glob: `**/${path}/**` })
  const folders = new Set<string>()
  for (const file of elsewhere.ok ? elsewhere.value : []) {
    const at = `/${file}`.indexOf(`/${path}/`)
    if (at >= 0) folders.add(file.slice(0, at + path.length))
  }
  return [...folders].sort()
}

/** A file that is no page, such as `README.md` or `docs.json`, by its path. */
function* findFile(named: string): Plan<FoundPage | undefined> {
  if (!/\.[A-Za-z]{2,8}$/.test(named)) return undefined
  const path = trimSlashes(named)
  const files = yield* listFiles({ glob: `**/${fileName(path)}` })
  const matching = (files.ok ? files.value : []).filter((file) => `/${file}`.endsWith(`/${path}`))
  const some = matching.includes(path) ? [path] : matching
  const pages = some.map((file) => ({ path: file, url: '', title: file, group: null }))
  const [only] = pages
  if (only === undefined) return undefined
  return pages.length === 1 ? { kind: 'one', page: only } : { kind: 'several', candidates: pages }
}

/** From strictest to loosest; the first test that a page passes decides. */
const tests: ((name: string, page: Page) => boolean)[] = [
  (name, page) => page.path === trimSlashes(name),
  (name, page) =>
    isSame(pathKey(name), pathKey(page.path)) || isSame(pathKey(withoutDomain(name)), pathKey(page.url)),
  // A title may also be the file name of another page. Then either may be meant.
  hasName,
  (name, page) => name.includes('/') && page.path.toLowerCase().endsWith(`/${pathKey(name)}`),
  (name, page) => isSame(plain(name), plain(page.title)) || isSame(plain(name), plain(stemOf(page.path))),
]

function hasName(name: string, { title, path }: Page): boolean {
  return isSame(lower(name), lower(title)) || (!name.includes('/') && isSame(stemOf(name), stemOf(path)))
}

function choose(name: string, pages: readonly Page[]): FoundPage {
  for (const test of tests) {
    const matches = pages.filter((page) => test(name, page))
    const own = withoutTranslations(name, matches)
    const [only] = own
    if (only && own.length === 1) return { kind: 'one', page: only }
    if (own.length > 1) return { kind: 'several', candidates: own }
  }
  return { kind: 'none', nearby: pages.filter((page) => isNear(name, page)).slice(0, 5) }
}

/** Of a page and its translations, the ones with the title that was said. */
function withoutTranslations(name: string, pages: Page[]): Page[] {
  const titled = pages.filter(({ title }) => isSame(lower(name), lower(title)))
  const known = new Set(titled.map(({ path }) => untranslated(path)))
  return pages.filter((page) => titled.includes(page) || !known.has(untranslated(page.path)))
}

function untranslated(path: string): string {
  return path
    .split('/')
    .filter((part) => !/^[a-z]{2}(?:-[a-z]{2,4})?$/i.test(part))
    .join('/')
}

function isNear(name: string, page: Page): boolean {
  const words = lower(`${page.title} ${page.path}`)
  const said = lower(name).split(/[^\p{L}\p{N}]+/u)
  return said.some((word) => word.length >= 4 && words.includes(word.slice(0, Math.max(4, word.length - 2))))
}

function isSame(one: string, other: string): boolean {
  return one !== '' && one === other
}

/** A path or address without the parts that people omit: slashes at the ends, extension, `index`. */
function pathKey(path: string): string {
  // The numbers of files and folders sort them, and are no part of addresses.
  const bare = trimSlashes(path.toLowerCase().replace(/[?#].*/s, '')).replace(
    /(^|\/)\d+[-_.](?=\p{L})/gu,
    '$1',
  )
  return bare.replace(/\.(?:mdx?|markdown|rst|adoc|html?)$/, '').replace(/\/(?:index|readme)$/, '')
}

function withoutDomain(name: string): string {
  return name.replace(/^https?:\/\/[^/]+/, '')
}

function trimSlashes(path: string): string {
  return path.replace(pathEnds, '')
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase()
}

function stemOf(path: string): string {
  return pathKey(fileName(path))
}

function lower(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim()
}

function plain(text: string): string {
  return lower(text)
    .replace(pageEnding, '')
    .replace(/[^\p{L}\p{N}/]+/gu, '')
}

// Paths of pages, and names for new ones.

/** Makes a file name from a title; letters of every script are kept. */
export function slugOf(title: string, separator = '-'): string {
  const letters = title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
  const words = letters.replace(/['’]/g, '').match(/[\p{L}\p{N}]+/gu) ?? []
  return words.join(separator).slice(0, 80) || 'page'
}

/** A page's folder without a slash at its end. */
export function folderOf(path: string): string {
  return folderWithSlash(path).slice(0, -1)
}

export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

export function extensionOf(path: string): string {
  return pageEnding.exec(path)?.[0] ?? '.md'
}

export function fileStem(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(pageEnding, '')
}

/**
 * The path that a person named, relative to the repository or to the root of all pages (`guides/x.md` below
 * `docs/`).
 */
export function placedBelowRoot(path: string, pages: readonly Page[]): string {
  const bare = trimSlashes(path)
  const [first = '', ...others] = pages.map((page) => folderOf(page.path))
  let root = first
  for (const folder of others)
    while (root !== '' && folder !== root && !folder.startsWith(`${root}/`)) root = folderOf(root)
  if (root === '' || bare === root || bare.startsWith(`${root}/`)) return bare
  return trimSlashes(joinPath(root, bare))
}

/** The most common value, or the first one of several. */
export function mostCommon<Value>(values: readonly Value[]): Value | undefined {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
}
