import type { ReadFile } from '../../site/files.ts'
import type { Site } from '../../site/site.ts'
import { type Description, mayBeDescription, readDescription } from '../../site/openapi/description.ts'
import {
  addressHere,
  operationPages,
  operationPath,
  parseOperationPage,
  sourceFileOf,
  writeList,
  writeMissing,
  writeMissingList,
  writeShown,
} from '../../site/openapi/operation-pages.ts'
import {
  shownDescription,
  type ShownOperation,
  shownOperations,
} from '../../site/openapi/shown-operations.ts'
import { findFrontMatter } from '../../site/markdown/front-matter.ts'
import { folderPath } from '../../site/links/page-path.ts'
import { isRemote } from '../../site/openapi/remote.ts'
import { operationsOf } from '../../site/openapi/operations.ts'
import type { KnownPage, ParsedPage } from './pages.ts'
import { keepNewest } from '../../lib/keep-newest.ts'

/** The descriptions of APIs in a commit. */
export interface Descriptions {
  /** The text of the operations that a page names, and the files that it depends on, with git's ids of them. */
  shownIn(path: string, source: string): Promise<Shown | undefined>
  /**
   * The pages of the operations that no page shows, as tasks: those of an unchanged description have nothing to parse.
   * `included`: what all pages include now.
   */
  pages(included: Iterable<Included>): AsyncGenerator<OperationPages, void>
  /** The addresses of the descriptions on the web that the site and its pages name. */
  remoteIn(included: Iterable<Included>): ReadonlySet<string>
}

interface Shown {
  text: string
  /** It stands for the text of the page, which was made of the same. */
  isWhole: boolean
  title: string | undefined
  included: Included
}

/** The text of a page with that of the operations that it shows. */
export function withOperations(text: string, shown: Shown | undefined): string {
  const own = shown?.isWhole === true ? text.slice(0, findFrontMatter(text)?.bodyStart ?? 0) : text
  return `${own}${shown?.text ?? ''}`
}

type Included = Readonly<Record<string, string>>

interface OperationPages {
  paths: readonly string[]
  /** Parses those that have to be, one after the other. `isTaken`: whether a page has an address. */
  parse(isTaken: (url: string) => boolean): Iterable<ParsedPage>
}

interface Commit {
  site: Site
  /** Git's ids of the files, and hashes of descriptions on the web. Reading one of those adds it. */
  files: ReadonlyMap<string, string>
  /** Why a description on the web has no text. */
  whyMissing(address: string): string | undefined
  /** The folder of the project's pages. */
  root: string
  read: ReadFile
  /** Names the file whose text is worked on. */
  reading(path: string): void
  known: ReadonlyMap<string, KnownPage>
  /** Whether pages are parsed in the same way as those that are known. */
  isAlike: boolean
}

const maxPages = 5000
const keptOpen = 3
const maxRemembered = 100_000
/** Git's ids of files that are no descriptions: repositories hold thousands of JSON files, which stay the same. */
const others = new Set<string>()

export function openDescriptions({
  site,
  files,
  root,
  read,
  reading,
  whyMissing,
  known,
  isAlike,
}: Commit): Descriptions {
  const inSite = site.described.map(({ file }) => file).filter(isRemote)
  const candidates = [...files.keys()]
    .filter((path) => !isRemote(path) && path.startsWith(folderPath(root)) && mayBeDescription(path))
    .sort()
    .concat([...new Set(inSite)].sort())
  const open = new Map<string, Description>()
  const keys = new Map<string, ReadonlySet<string>>()

  const describe = async (file: string): Promise<Description | undefined> => {
    const before = open.get(file)
    const known = files.get(file)
    if (before !== undefined || (known === undefined && !isRemote(file))) return before
    if (known !== undefined && others.has(known)) return undefined
    const text = await read(file)
    const description = text === undefined ? undefined : await readDescription(file, text, read)
    const oid = files.get(file)
    if (description === undefined && text !== undefined && oid !== undefined) {
      if (others.size >= maxRemembered) others.clear()
      others.add(oid)
    }
    if (description === undefined) return undefined
    keepNewest(open, keptOpen, file, description)
    keys.set(file, new Set(operationsOf(description).map(({ key }) => key)))
    return description
  }
  const find = async ({ file, key, own }: ShownOperation): Promise<Description | undefined> => {
    if (own !== undefined) return readDescription('', own, () => Promise.resolve(undefined))
    for (const one of file === undefined ? candidates : [file]) {
      if (!keys.has(one)) await describe(one)
      if (keys.get(one)?.has(key)) return describe(one)
    }
    return undefined
  }
  const idsOf = (paths: readonly string[]): Included =>
    Object.fromEntries(paths.map((path) => [path, files.get(path) ?? '']))

  /** What a page shows of a whole description. */
  const listIn = async (source: string): Promise<Shown | undefined> => {
    const place = shownDescription(source)
    if (place === undefined) return undefined
    const file = isRemote(place) ? place : candidates.find((one) => `/${one}`.endsWith(`/${place}`))
    const description = file === undefined ? undefined : await describe(file)
    const text =
      description === undefined ? writeMissingList(place, whyMissing(place)) : writeList(description)
    return { text, isWhole: false, title: undefined, included: file === undefined ? {} : idsOf([file]) }
  }

  return {
    async shownIn(path, source) {
      const named = shownOperations(site, path, source)
      if (named.length === 0) return listIn(source)
      const written: Shown = { text: '', isWhole: false, title: undefined, included: {} }
      for (const one of named) {
        const description = await find(one)
        const operation = description && operationsOf(description).find(({ key }) => key === one.key)
        const file = description?.root.file ?? one.file ?? ''
        if (one.own === undefined)
          written.included = {
            ...written.included,
            [operationPath(file, one.key)]: files.get(file) ?? '',
            ...idsOf(description?.files ?? []),
          }
        if (description === undefined || operation === undefined) {
          written.text += writeMissing(source, one, whyMissing(file))
          continue
        }
        if (one.own === undefined) reading(file)
        written.isWhole = one.own !== undefined
        written.title ??= operation.title
        written.text += writeShown(written.isWhole ? '' : source, description, operation)
      }
      return written
    },
    remoteIn: (included) =>
      new Set(
        [...inSite, ...Array.from(included, (one) => Object.keys(one).map(sourceFileOf)).flat()].filter(
          isRemote,
        ),
      ),
    async *pages(included) {
      const before = shownByFile(Array.from(known.values(), (page) => page.included))
      const now = shownByFile(included)
      const knownPages = Map.groupBy(
        [...known].filter(([path]) => sourceFileOf(path) !== path),
        ([path]) => sourceFileOf(path),
      )
      let count = 0
      for (const file of candidates) {
        const pages = knownPages.get(file) ?? []
        const shownKeys = new Set(now.get(file)?.keys())
        const earlier = before.get(file) ?? new Map<string, string>()
        const isSame =
          isAlike &&
          pages.length + earlier.size > 0 &&
          pages.every(([, page]) => page.oid === files.get(file) && isCurrent(files, page.included)) &&
          shownKeys.size === earlier.size &&
          [...earlier].every(([key, oid]) => shownKeys.has(key) && oid === files.get(file))
        if (isSame) {
          count += pages.length
          yield { paths: pages.map(([path]) => path), parse: () => [] }
          continue
        }
        const description = await describe(file)
        if (description === undefined) continue
        reading(file)
        const operations = operationPages(site, description, shownKeys).slice(0, maxPages - count)
        count += operations.length
        yield {
          paths: operations.map(({ path }) => path),
          *parse(isTaken) {
            for (const one of operations) {
              const url = isTaken(one.url) ? addressHere(file, one.operation) : one.url
              reading(file)
              const parsed = parseOperationPage(site, description, { ...one, url })
              if (parsed !== undefined)
                yield { ...parsed, oid: files.get(file) ?? '', included: idsOf(description.files) }
            }
          },
        }
      }
    },
  }
}

/** Whether the files that a page includes, and those of the operations that it shows, are the same as they were. */
export function isCurrent(files: ReadonlyMap<string, string>, included: Included): boolean {
  return Object.entries(included).every(([name, oid]) => {
    const file = sourceFileOf(name)
    // An operation that no description had may be in another one now.
    return !name.startsWith('#') && (files.get(file) ?? '') === oid
  })
}

/** The names of the operations that pages show, with git's id of the file, by that file. */
function shownByFile(included: Iterable<Included>): Map<string, Map<string, string>> {
  const byFile = new Map<string, Map<string, string>>()
  for (const one of included)
    for (const [name, oid] of Object.entries(one)) {
      const file = sourceFileOf(name)
      if (file === name) continue
      const keys = byFile.get(file) ?? new Map<string, string>()
      byFile.set(file, keys.set(name.slice(file.length + 1), oid))
    }
  return byFile
}
