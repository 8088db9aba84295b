import { distance } from '../../../lib/text/distance.ts'
import { splitHref } from '../../links/href.ts'
import { decodeDestination } from '../../markdown/entities.ts'
import type { Site } from '../../site.ts'
import { decoded } from '../../../lib/text/decoded.ts'
import { markdownEnding } from '../../text/markup.ts'
import { outerSlashes } from '../../text/paths.ts'

/** What a broken link could be instead: one suggestion when it is certain, several when it is a guess. */
export type Suggester = (
  fromPath: string,
  href: string,
) => { suggestions: string[]; hint: string | undefined }

const none = { suggestions: [], hint: undefined }
const maxGuesses = 3
const maxNeighbours = 500
const maxParts = 50

export function createSuggester(site: Site, files: ReadonlyMap<string, string>): Suggester {
  let known: { pages: Index; assets: Index } | undefined
  return (fromPath, href) => {
    const path = decoded(splitHref(decodeDestination(href)).path).replace(/(\.(?:mdx?|markdown))\/$/i, '$1')
    if (path === '' || path.length > 1000) return none
    known ??= {
      pages: indexOf(site.pages.map((page) => knownPage(site, page))),
      assets: indexOf(assetsOf(site, files)),
    }
    // `page.md/` means `page.md`.
    const like = href.replace(/(\.(?:mdx?|markdown))\/(?=[?#]|$)/i, '$1')
    const extension = /\.([a-z\d]{1,8})$/i.exec(path)?.[1]?.toLowerCase()
    const isPage = extension === undefined || /^(?:mdx?|markdown|html?)$/.test(extension)
    const places = site.pageFor(fromPath)
    const isAlike = (one: Known) => !isPage || belongsTogether(site, places, one.path)
    const wanted = wantedNames(site, fromPath, path, isPage)
    const strong = firstSingle(wanted, isPage ? known.pages : known.assets, isAlike)
    const written = (target: string) => {
      const link = site.linkTo(fromPath, target, like)
      const resolved = site.resolveLink(fromPath, link)
      return (resolved.kind === 'page' || resolved.kind === 'asset') && resolved.path === target ? [link] : []
    }
    if (strong.certain !== undefined) {
      const suggestions = written(strong.certain)
      if (suggestions.length === 1) return { suggestions, hint: undefined }
    }
    const guesses = [...new Set(strong.guesses)].slice(0, maxGuesses).flatMap(written)
    if (guesses.length > 1) return { suggestions: guesses, hint: undefined }
    const [guess] = guesses
    return guess === undefined ? none : { suggestions: [], hint: `It may be ${guess}` }
  }
}

interface Known {
  path: string
  /** Path and address without extension, index and case: `guides/install`. */
  keys: string[]
  name: string
}

/**
 * The candidates by the keys that the rules look for, so that thousands of broken links are not compared with every
 * page.
 */
interface Index {
  byKey: ReadonlyMap<string, readonly Known[]>
  /** By the last part of a key. */
  byEnd: ReadonlyMap<string, readonly Known[]>
  byName: ReadonlyMap<string, readonly Known[]>
  byFolder: ReadonlyMap<string, readonly Known[]>
}

interface Wanted {
  /** What the link names, as it is written; `''` for the top. */
  exact: string
  /** What the link would name if it started at the top, or at its own file. */
  keys: string[]
  name: string
}

function knownPage(site: Site, path: string): Known {
  const inside = path.startsWith(site.root) ? path.slice(site.root.length) : path
  const url = site.pageFor(path)?.url
  const keys = [keyOf(inside), ...(url === undefined ? [] : [keyOf(url)])]
  return { path, keys: [...new Set(keys)], name: nameOf(keyOf(inside)) }
}

function assetsOf(site: Site, files: ReadonlyMap<string, string>): Known[] {
  const assets: Known[] = []
  for (const path of files.keys()) {
    if (markdownEnding.test(path) || (site.customs.servesOnlyRoot === true && !path.startsWith(site.root)))
      continue
    const inside = path.startsWith(site.root) ? path.slice(site.root.length) : path
    const key = inside.toLowerCase()
    assets.push({ path, keys: [key], name: nameOf(key) })
  }
  return assets
}

function wantedNames(site: Site, fromPath: string, path: string, isPage: boolean): Wanted {
  const shape = isPage ? keyOf : (text: string) => text.replace(/^\/+/, '').toLowerCase()
  const keys: string[] = []
  if (!path.startsWith('/')) {
    const inside = fromPath.startsWith(site.root) ? fromPath.slice(site.root.length) : fromPath
    keys.push(shape(join(inside.split('/').slice(0, -1), path)), shape(join(inside.split('/'), path)))
  }
  keys.push(shape(join([], path)))
  const usable = [...new Set(keys)].filter((key) => key !== '')
  return { exact: keys[0] ?? '', keys: usable, name: nameOf(usable.at(-1) ?? '') }
}

function indexOf(all: readonly Known[]): Index {
  const by = (namesOf: (one: Known) => readonly string[]) => {
    const index = new Map<string, Known[]>()
    for (const one of all) {
      for (const name of new Set(namesOf(one))) {
        const same = index.get(name)
        if (same === undefined) index.set(name, [one])
        else same.push(one)
      }
    }
    return index
  }
  return {
    byKey: by(({ keys }) => keys),
    byEnd: by(({ keys }) => keys.map((key) => split(key)[1])),
    byName: by(({ name }) => [name]),
    byFolder: by(({ keys }) => keys.map((key) => split(key)[0])),
  }
}

/** The rules, strongest first: the first that leaves exactly one candidate decides. */
function firstSingle(
  wanted: Wanted,
  { byKey, byEnd, byName, byFolder }: Index,
  isAlike: (one: Known) => boolean,
): { certain: string | undefined; guesses: string[] } {
  const guesses: string[] = []
  const rules: (() => readonly Known[])[] = [
    () => byKey.get(wanted.exact) ?? [],
    () => wanted.keys.flatMap((key) => byKey.get(key) ?? []),
    () =>
      wanted.keys.flatMap((want) => [
        ...(byEnd.get(split(want)[1]) ?? []).filter(({ keys }) =>
          keys.some((key) => key.endsWith(`/${want}`)),
        ),
        ...endingsOf(want).flatMap((ending) => byKey.get(ending) ?? []),
      ]),
    () => (wanted.name === '' ? [] : (byName.get(wanted.name) ?? [])),
    () =>
      wanted.keys.flatMap((want) =>
        (byFolder.get(split(want)[0]) ?? [])
          .slice(0, maxNeighbours)
          .filter(({ keys }) => keys.some((key) => isSlip(key, want))),
      ),
  ]
  for (const rule of rules) {
    const matches = [...new Set(rule())].filter(isAlike)
    const [only] = matches
    if (only !== undefined && matches.length === 1) return { certain: only.path, guesses }
    guesses.push(...matches.slice(0, maxGuesses).map((one) => one.path))
    // When a stronger rule finds several candidates, weaker rules cannot decide between them.
    if (matches.length > 1) break
  }
  return { certain: undefined, guesses }
}

/** The key's endings at each slash: `b/c` and `c` of `a/b/c`. */
function endingsOf(key: string): string[] {
  const parts = key.split('/').slice(-maxParts)
  return parts.slice(1).map((_, at) => parts.slice(at + 1).join('/'))
}

/** A mistyped last name in the right folder; other digits mean another page. */
function isSlip(key: string, want: string): boolean {
  const [folder, name] = split(key)
  const [wantedFolder, wantedName] = split(want)
  if (folder !== wantedFolder || Math.min(name.length, wantedName.length) < 5) return false
  if (name.replaceAll(/\D/g, '') !== wantedName.replaceAll(/\D/g, '')) return false
  if (Math.abs(name.length - wantedName.length) > 2 || name.length > 100) return false
  return distance(name, wantedName) <= (wantedName.length < 9 ? 1 : 2)
}

function belongsTogether(
  site: Site,
  own: { language: string | undefined; version: string | undefined } | undefined,
  path: string,
): boolean {
  const other = site.pageFor(path)
  return (
    own === undefined ||
    other === undefined ||
    (own.language === other.language && own.version === other.version)
  )
}

function keyOf(path: string): string {
  return path
    .replace(outerSlashes, '')
    .replace(/\.(?:mdx?|markdown|html?)$/i, '')
    .replace(/(?:^|\/)(?:index|readme)$/i, '')
    .toLowerCase()
}

function nameOf(key: string): string {
  return (key.split('/').at(-1) ?? '').replace(/^\d+[-_.]/, '')
}

function split(key: string): [string, string] {
  const slash = key.lastIndexOf('/')
  return [key.slice(0, Math.max(0, slash)), key.slice(slash + 1)]
}

function join(folder: readonly string[], relative: string): string {
  const parts = [...folder]
  for (const part of relative.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** The one anchor that differs only in case or punctuation, else the few that share most words. */
export function nearAnchors(anchor: string, anchors: ReadonlySet<string>): string[] {
  const key = anchorKey(anchor)
  const same = [...anchors].filter((name) => anchorKey(name) === key)
  if (same.length === 1) return same
  const words = new Set(wordsOf(anchor))
  const near = [...anchors]
    .map((name) => ({ name, shared: wordsOf(name).filter((word) => words.has(word)).length }))
    .filter(({ shared }) => shared * 2 >= words.size && shared > 0)
    .sort((one, other) => other.shared - one.shared || one.name.length - other.name.length)
    .slice(0, 3)
  // A single suggestion counts as certain, and this is only a guess.
  return near.length > 1 ? near.map(({ name }) => name) : []
}

function wordsOf(anchor: string): string[] {
  return anchor
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2)
}

function anchorKey(anchor: string): string {
  return anchor.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}
