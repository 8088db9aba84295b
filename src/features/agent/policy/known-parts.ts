import { contentHash } from '../../../site/text/content-hash.ts'
import { wordsIn, WordSet } from './word-set.ts'

/** Files that are read at once. */
const atOnce = 16
const longest = 80

/** What a tree's files are read by. */
export interface PartsReader {
  /** In order; undefined for what cannot be read. */
  readSome(paths: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>
  /** The names of a file's parts. */
  namesIn(path: string, content: Uint8Array): Promise<readonly string[]>
  /** The same, where they were found before. */
  remembered(path: string): readonly string[] | undefined
  /** What the names of a file's parts begin with; those of `any` begin so in every file. */
  kindOf(path: string): string
  textOf(content: Uint8Array): string
}

/**
 * The parts that a tree has, by their names. A file is only parsed for a name whose words are in its text, those near to
 * the page that asks first, and once: a name that stands nowhere costs the reading of words, not of pages.
 */
export class KnownParts {
  readonly #reader: PartsReader
  readonly #names = new Set<string>()
  readonly #nowhere = new Set<string>()
  /** Files that were not parsed, with their words where those were read. */
  readonly #left: Map<string, WordSet | undefined>

  constructor(files: readonly string[], reader: PartsReader) {
    this.#left = new Map(files.map((path) => [path, undefined]))
    this.#reader = reader
  }

  /** Whether a file of the tree has a part of one of these names. `text` is what stands in all files that have it. */
  async has(names: readonly string[], near: string, text = ''): Promise<boolean> {
    const wanted = names.map(shortName)
    const isKnown = (): boolean => wanted.some((name) => this.#names.has(name))
    if (isKnown()) return true
    const key = wanted.join('\n')
    if (this.#nowhere.has(key)) return false
    const words = wordsIn(text)
    const kinds = new Set(names.map((name) => name.slice(0, name.indexOf(' '))))
    const isOfKind = (path: string): boolean => kinds.has('any') || kinds.has(this.#reader.kindOf(path))
    const files = byDistance([...this.#left.keys()].filter(isOfKind), near)
    for (let at = 0; at < files.length; at += atOnce) {
      await this.#read(files.slice(at, at + atOnce), words)
      if (isKnown()) return true
    }
    this.#nowhere.add(key)
    return false
  }

  async #read(paths: readonly string[], words: readonly number[]): Promise<void> {
    const open: string[] = []
    for (const path of paths) {
      const names = this.#reader.remembered(path)
      if (names !== undefined) this.#learn(path, names)
      else if (this.#left.get(path)?.hasAll(words) !== false) open.push(path)
    }
    const contents = open.length === 0 ? [] : await this.#reader.readSome(open)
    for (const [index, path] of open.entries()) {
      const content = contents[index]
      if (content === undefined) this.#left.delete(path)
      else {
        const known = this.#left.get(path) ?? new WordSet(this.#reader.textOf(content))
        if (known.hasAll(words)) this.#learn(path, await this.#reader.namesIn(path, content))
        else this.#left.set(path, known)
      }
    }
  }

  #learn(path: string, names: readonly string[]): void {
    this.#left.delete(path)
    for (const name of names) this.#names.add(name)
  }
}

/** Names are kept for every file of a site, so that long ones are cut to what tells them apart. */
export function shortName(name: string): string {
  if (name.length <= longest) return name
  const [kind = '', second = ''] = name.split(' ', 2)
  return `${kind} ${second}`.slice(0, 40) + ` #${contentHash(Buffer.from(name))}`
}

/** By how many folders one goes up and down from a file to each. */
function byDistance(paths: readonly string[], from: string): string[] {
  const start = from.split('/')
  const distances = new Map(
    paths.map((path) => {
      const to = path.split('/')
      let shared = 0
      while (shared < Math.min(start.length, to.length) - 1 && start[shared] === to[shared]) shared++
      return [path, start.length + to.length - 2 * shared]
    }),
  )
  return paths.toSorted((one, other) => (distances.get(one) ?? 0) - (distances.get(other) ?? 0))
}
