import { folderOf as folderWithSlash } from '../../site/text/paths.ts'
import type { Plan } from '../replay.ts'
import type { Scope } from '../requests/request.ts'
import { listFiles, listPages, type Page } from '../tools.ts'

export type FoundPage =
  /** `loose` where its name only holds what was said. */
  | { kind: 'one'; page: Page; loose: boolean }
  | { kind: 'several'; candidates: Page[]; loose: boolean }
  | { kind: 'none'; searched: string; nearby: Page[] }

/**
 * Finds the page that a person named by path, file name, address or title: first exact matches, then partial ones.
 */
export function* findPage(named: string): Plan<FoundPage> {
  return yield* decide(named, yield* searchPage(named))
}

function* searchPage(named: string): Plan<FoundPage> {
  const names = namesOf(named)
  const shortest = names.reduce((a, b) => (b.length < a.length && b.length > 1 ? b : a), names[0] ?? named)
  const listing = yield* listPages(trimSlashes(withoutDomain(shortest)) || shortest)
  const narrow = choose(names, listing.ok ? listing.value : [])
  if (narrow.kind !== 'none') return narrow
  const all = yield* listPages()
  const pages = all.ok ? all.value : []
  const wide = choose(names, pages)
  if (wide.kind !== 'none') return wide
  return { ...wide, nearby: pages.filter((page) => isNear(names[0] ?? '', page)).slice(0, 5) }
}

/** No tool of the agent: the plan of a job answers it, or asks the person. */
export const whichPage = 'which_page'
const whichOne = 'Which one do you mean?'

/** The person may say which of several pages is meant. */
function* decide(named: string, found: FoundPage): Plan<FoundPage> {
  if (found.kind !== 'several') return found
  const options = found.candidates
    .slice(0, mostShown)
    .map(
      ({ path, title }, at) => `${at + 1}. \`${path}\`${title === '' || title === path ? '' : ` (${title})`}`,
    )
  const name = named.replace(quotes, '').slice(0, 200)
  const question = `“${name}” matches several pages. ${whichOne}\n\n${options.join('\n')}${moreOf(found.candidates)}`
  const [answer] = yield [{ tool: whichPage, input: { question } }]
  const page = answer?.ok === true ? found.candidates.find(({ path }) => path === answer.value) : undefined
  return page ? { kind: 'one', page, loose: false } : found
}

/** The most pages that a question or an explanation lists. */
const mostShown = 10

function moreOf({ length }: readonly Page[]): string {
  return length > mostShown ? `\n\nand ${length - mostShown} more: name one of these by its path.` : ''
}

const ordinals = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
]

/** The path that a person chose as the answer to our question; undefined where that is not clear. */
export function readChoice(question: string, answer: string): string | undefined {
  if (!question.includes(whichOne)) return undefined
  const pages = question.split('\n').flatMap((line) => {
    const [number = '', path = '', title = ''] = line.split('`')
    return /^\d{1,2}\\?\. $/.test(number) ? [{ path, title: title.slice(2, -1), url: '' }] : []
  })
  const said = answer
    .toLowerCase()
    .replace(/(?<![.!,])[.!,]+$/, '')
    .replace(/^(?:(?:i mean|i meant|it is|it's|use|take|please|sorry|yes|oh)[, ]+)+/, '')
    .replace(/^(?:the )?(?:number|option|no\.?|#)? ?|(?: one| page| option)?(?:,? please)?$/g, '')
  const number = /^\d+$/.test(said) ? Number(said) - 1 : ordinals.findIndex((word) => said === word)
  if (said === 'last') return pages.at(-1)?.path
  if (number >= 0) return pages[number]?.path
  const name = said.replace(/^one (?:in|under|from|at) /, '')
  const match = choose(namesOf(name), pages)
  const inside = pages.filter(({ path }) => name.endsWith('/') && `/${path}`.includes(`/${name}`))
  return match.kind === 'one' ? match.page.path : inside.length === 1 ? inside[0]?.path : undefined
}

/** Explains to the person who named the page why it could not be found. */
export function explainPage(named: string, found: Exclude<FoundPage, { kind: 'one' }>): string {
  const name = named.replace(quotes, '').slice(0, 200)
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
    if (only !== undefined && others.length === 0) return inFolder(only)
    return { ok: false, why: explainFolder(scope.path, only === undefined ? [] : [only, ...others]) }
  }
  const searched = yield* findFile(scope.named)
  if (searched.kind === 'one' && !searched.loose) return pageAlone(searched.page)
  const bare = trimSlashes(scope.named.replace(quotes, '').replace(/^(?:the|our)\s+/i, ''))
  const folders = /^[\w./ -]{1,300}$/.test(bare) ? yield* findFolders(bare.replaceAll(' ', '/')) : []
  const [folder] = folders
  if (folder !== undefined && folders.length === 1) return inFolder(folder)
  const match = yield* decide(scope.named, searched)
  if (match.kind === 'one') return pageAlone(match.page)
  const names = scope.named.split(/,| and /).map((name) => name.replace(/^\s*and\s+/, '').trim())
  if (names.length < 2 || names.length > 20 || match.kind !== 'none')
    return { ok: false, why: explainPage(scope.named, match) }
  const places: Extract<FoundPlace, { ok: true }>[] = []
  for (const name of names) {
    const named = name.replace(/^(?:in|on) /i, '')
    const isFolder = named.endsWith('/')
    const place = yield* findPlace(
      isFolder ? { kind: 'folder', path: trimSlashes(named) } : { kind: 'pages', named },
    )
    if (!place.ok) return place
    places.push(place)
  }
  const all = places.map(({ description }) => description.replace(/^in /, ''))
  return {
    ok: true,
    paths: places.flatMap(({ paths }) => paths ?? []),
    files: places.every(({ files }) => files),
    description: all.length > 2 ? `in ${all.length} places` : `in ${all.join(' and ')}`,
  }
}

function pageAlone({ path, title }: Page): FoundPlace {
  return { ok: true, paths: [path], files: true, description: `in ${title || path}` }
}

function inFolder(folder: string): FoundPlace {
  return { ok: true, paths: [folder], files: false, description: `in ${folder}/` }
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

/** Like `findPage`, but also finds files that are not pages (`README.md`, `docs.json`) by their path. */
function* findFile(named: string): Plan<FoundPage> {
  const match = yield* searchPage(named)
  if (match.kind !== 'none' || !/\.[A-Za-z]{2,8}$/.test(match.searched)) return match
  const path = trimSlashes(match.searched)
  const files = yield* listFiles({ glob: `**/${fileName(path)}` })
  const matching = (files.ok ? files.value : []).filter((file) => `/${file}`.endsWith(`/${path}`))
  const exact = matching.find((file) => file === path)
  const candidates = (exact === undefined ? matching : [exact]).map((file) => ({
    path: file,
    url: '',
    title: file,
  }))
  const [only] = candidates
  if (!only) return match
  return candidates.length === 1
    ? { kind: 'one', page: only, loose: false }
    : { kind: 'several', candidates, loose: false }
}

const quotes = /^["'“”‘’«»`]+|(?<!["'“”‘’«»`])["'“”‘’«»`]+$/g
const kinds = '(?:page|article|document|doc|file|guide|tutorial)'
const kindFirst = new RegExp(`^${kinds}\\s+(?:called\\s+|named\\s+|titled\\s+)?(.+)$`, 'i')
const kindLast = new RegExp(`^(.+?)\\s+${kinds}$`, 'i')

function isKindAlone(name: string | undefined): boolean {
  return name !== undefined && /^(?:page|article|document|doc|file)$/i.test(name)
}

/** The possible names, most literal first: `the quickstart page` is `quickstart`. */
function namesOf(named: string): string[] {
  const whole = named
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<![.,;:])[.,;:]+$/, '')
  const inner = /["“«`'‘]([^"”»`]{1,200})["”»`'’]/.exec(whole)?.[1]
  const bare = whole.replace(/^(?:(?:the|our|my|this|about)\s+)+/i, '')
  // "The guide page" is called guide, and not page.
  const shorter = [kindFirst.exec(bare)?.[1], kindLast.exec(bare)?.[1]].filter((name) => !isKindAlone(name))
  const names = [inner, whole, bare, ...shorter]
  const clean = names.map((name) => name?.replace(quotes, '').trim() ?? '').filter((name) => name !== '')
  return [...new Set(clean)]
}

/** From strictest to loosest; the first test that any name passes decides. */
const tests: ((name: string, page: Page) => boolean)[] = [
  (name, page) => page.path === trimSlashes(name),
  (name, page) =>
    isSame(pathKey(name), pathKey(page.path)) || isSame(pathKey(withoutDomain(name)), pathKey(page.url)),
  hasTitle,
  (name, page) => name.includes('/') && page.path.toLowerCase().endsWith(`/${pathKey(name)}`),
  (name, page) => !name.includes('/') && isSame(stemOf(name), stemOf(page.path)),
  (name, page) => isSame(plain(name), plain(page.title)) || isSame(plain(name), plain(stemOf(page.path))),
  (name, page) => plain(name).length > 2 && plain(`${page.title}/${page.path}`).includes(plain(name)),
  (name, page) => {
    const words = wordsOf(name, 3)
    return words.length > 0 && words.every((word) => lower(`${page.title} ${page.path}`).includes(word))
  },
]

function hasTitle(name: string, page: Page): boolean {
  return isSame(lower(name), lower(page.title))
}

/** Other pages whose file has this name, without translations of the pages that were found. */
function namesakes(name: string, found: readonly Page[], pages: readonly Page[]): Page[] {
  const known = new Set(found.map(({ path }) => untranslated(path)))
  return pages.filter(
    (page) => isSame(stemOf(name), stemOf(page.path)) && !known.has(untranslated(page.path)),
  )
}

function untranslated(path: string): string {
  return path
    .split('/')
    .filter((part) => !/^[a-z]{2}(?:-[a-z]{2,4})?$/i.test(part))
    .join('/')
}

/** From here on, tests accept a page whose name holds more than what was said. */
const firstLoose = 6

function choose(names: readonly string[], pages: readonly Page[]): FoundPage {
  // "The page about analytics" is no name.
  const isTopic = names.some((name) => /^(?:the )?(?:page |guide |article )?about /i.test(name))
  for (const test of tests) {
    for (const name of names) {
      const exact = pages.filter((page) => test(name, page))
      // A title may also be the file name of another page. Then either may be meant.
      const matches =
        test === hasTitle && exact.length === 1 ? [...exact, ...namesakes(name, exact, pages)] : exact
      const [only] = matches
      if (only && matches.length === 1)
        return { kind: 'one', page: only, loose: isTopic || tests.indexOf(test) >= firstLoose }
      if (matches.length > 1)
        return { kind: 'several', candidates: matches, loose: tests.indexOf(test) >= firstLoose }
    }
  }
  return { kind: 'none', searched: names[0] ?? '', nearby: [] }
}

function isNear(name: string, page: Page): boolean {
  const words = lower(`${page.title} ${page.path}`)
  return wordsOf(name, 4).some((word) => words.includes(word.slice(0, Math.max(4, word.length - 2))))
}

function isSame(one: string, other: string): boolean {
  return one !== '' && one === other
}

function wordsOf(name: string, shortest: number): string[] {
  return lower(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= shortest)
}

/** A path or address without the parts that people omit: slashes at the ends, extension, `index`. */
function pathKey(path: string): string {
  // The numbers of files and folders sort them, and are no part of addresses.
  const bare = trimSlashes(path.toLowerCase().replace(/[?#].*/s, '')).replace(
    /(^|\/)\d+[-_.](?=\p{L})/gu,
    '$1',
  )
  return bare.replace(/\.(?:mdx?|markdown|rst|html?)$/, '').replace(/\/(?:index|readme)$/, '')
}

function withoutDomain(name: string): string {
  return name.replace(/^https?:\/\/[^/]+/, '')
}

function trimSlashes(path: string): string {
  return path.replace(/^(?:\.?\/)+|(?<!\/)\/+$/g, '')
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
    .replace(/\.(?:mdx?|markdown|rst)$/, '')
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
  return /\.(?:mdx?|markdown|rst)$/i.exec(path)?.[0] ?? '.md'
}

export function fileStem(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:mdx?|markdown|rst)$/i, '')
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
