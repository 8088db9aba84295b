import type { Plan } from '../replay.ts'
import type { Answer, Page } from '../tools.ts'
import { listFiles, listPages } from '../tools.ts'

export type FoundPage =
  | { kind: 'one'; page: Page }
  | { kind: 'several'; candidates: Page[] }
  | { kind: 'none'; searched: string; nearby: Page[] }

/** Finds the page that a person named by path, file name, address or title: exactly first, then in part. */
export function* findPage(named: string): Plan<FoundPage> {
  const names = namesOf(named)
  const shortest = names.reduce((a, b) => (b.length < a.length && b.length > 1 ? b : a), names[0] ?? named)
  const asked = yield* listPages(withoutDomain(shortest).replace(/^\.?\/+|(?<!\/)\/+$/g, '') || shortest)
  const narrow = choose(names, pagesOf(asked))
  if (narrow.kind !== 'none') return narrow
  const all = yield* listPages()
  const pages = pagesOf(all)
  const wide = choose(names, pages)
  if (wide.kind !== 'none') return wide
  const nearby = pages.filter((page) => isNear(names[0] ?? '', page)).slice(0, 5)
  return { kind: 'none', searched: names[0] ?? named, nearby }
}

/** Like `findPage`, and files that are no pages (`README.md`, `docs.json`) by their path. */
export function* findFile(named: string): Plan<FoundPage> {
  const found = yield* findPage(named)
  if (found.kind !== 'none' || !/\.[A-Za-z]{2,8}$/.test(found.searched)) return found
  const path = found.searched.replace(/^\.?\//, '')
  const files = yield* listFiles({ glob: `**/${path.slice(path.lastIndexOf('/') + 1)}` })
  const all = files.ok ? files.value : []
  const matching = all.filter((file) => file === path || file.endsWith(`/${path}`))
  const exact = matching.find((file) => file === path)
  const asPage = (file: string): Page => ({ path: file, url: '', title: file })
  if (exact !== undefined) return { kind: 'one', page: asPage(exact) }
  const [only] = matching
  if (only !== undefined && matching.length === 1) return { kind: 'one', page: asPage(only) }
  return matching.length > 1 ? { kind: 'several', candidates: matching.map(asPage) } : found
}

function pagesOf(answer: Answer<Page[]>): Page[] {
  return answer.ok ? answer.value : []
}

const quotes = /^["'“”‘’«»`]+|(?<!["'“”‘’«»`])["'“”‘’«»`]+$/g
const kinds = '(?:page|article|document|doc|file|guide|tutorial)'
const kindFirst = new RegExp(`^${kinds}\\s+(?:called\\s+|named\\s+|titled\\s+)?(.+)$`, 'i')
const kindLast = new RegExp(`^(.+?)\\s+${kinds}$`, 'i')

/** What the name may be, most literal first: `the quickstart page` is `quickstart`. */
function namesOf(named: string): string[] {
  const said = named
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<![.,;:])[.,;:]+$/, '')
  const inner = /["“«`'‘]([^"”»`]{1,200})["”»`'’]/.exec(said)?.[1]
  const bare = said.replace(/^(?:(?:the|our|my|this)\s+)+/i, '')
  const names = [said, bare]
  const first = kindFirst.exec(bare)?.[1]
  const last = kindLast.exec(bare)?.[1]
  for (const name of [first, last]) if (name !== undefined) names.push(name)
  if (inner !== undefined) names.unshift(inner)
  const clean = names.map((name) => name.replace(quotes, '').trim()).filter((name) => name !== '')
  return [...new Set(clean)]
}

type Test = (name: string, page: Page) => boolean

const tests: Test[] = [
  (name, page) => page.path === name.replace(/^(?:\.?\/)+/, ''),
  (name, page) => samePath(name, page.path) || samePath(withoutDomain(name), page.url),
  (name, page) => page.title !== '' && lower(page.title) === lower(name),
  (name, page) => name.includes('/') && page.path.toLowerCase().endsWith(`/${pathKey(name)}`),
  (name, page) => lower(stemOf(page.path)) === lower(stemOf(name)),
  (name, page) => isFile(name) && fileName(page.path) === fileName(name),
  (name, page) =>
    plain(name) !== '' && (plain(page.title) === plain(name) || plain(stemOf(page.path)) === plain(name)),
  (name, page) =>
    plain(name).length > 2 &&
    (plain(page.title).includes(plain(name)) || plain(page.path).includes(plain(name))),
  (name, page) => {
    const words = lower(name)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 2)
    const title = lower(`${page.title} ${page.path}`)
    return words.length > 0 && words.every((word) => title.includes(word))
  },
]

function choose(names: readonly string[], pages: readonly Page[]): FoundPage {
  for (const test of tests) {
    for (const name of names) {
      const found = pages.filter((page) => test(name, page))
      const [only] = found
      if (only && found.length === 1) return { kind: 'one', page: only }
      if (found.length > 1) return { kind: 'several', candidates: found.slice(0, 10) }
    }
  }
  return { kind: 'none', searched: names[0] ?? '', nearby: [] }
}

function isNear(name: string, page: Page): boolean {
  const words = lower(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 3)
  const said = lower(`${page.title} ${page.path}`)
  return words.some((word) => said.includes(word.slice(0, Math.max(4, word.length - 2))))
}

function samePath(name: string, path: string): boolean {
  return path !== '' && pathKey(name) !== '' && pathKey(name) === pathKey(path)
}

/** A path or address without what people leave out: slashes at the ends, extension, `index`. */
function pathKey(path: string): string {
  const plain = path
    .toLowerCase()
    .replace(/[?#].*/s, '')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/$/, '')
  return plain.replace(/\.(?:mdx?|markdown|html?)$/, '').replace(/\/(?:index|readme)$/, '')
}

function withoutDomain(name: string): string {
  return name.replace(/^https?:\/\/[^/]+/, '')
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase()
}

function isFile(name: string): boolean {
  return /\.[A-Za-z]{2,8}$/.test(name)
}

function stemOf(path: string): string {
  return fileName(path).replace(/\.(?:mdx?|markdown)$/, '')
}

function lower(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim()
}

function plain(text: string): string {
  return lower(text)
    .replace(/\.(?:mdx?|markdown)$/, '')
    .replace(/[^\p{L}\p{N}/]+/gu, '')
}
