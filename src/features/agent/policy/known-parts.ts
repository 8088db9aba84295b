import { contentHash } from '../../../site/text/content-hash.ts'

/** Files that are read at once. */
const atOnce = 16
const longest = 80

/**
 * The parts that a tree has, by their names. Its files are read as they are needed, those near to the page that asks
 * first, and each once: a name that stands nowhere has all of them read.
 */
export class KnownParts {
  readonly #read: (paths: readonly string[]) => Promise<Iterable<readonly string[]>>
  readonly #names = new Set<string>()
  #left: string[]
  #sortedFor: string | undefined

  /** @param read gives the names of the parts of some files */
  constructor(
    files: readonly string[],
    read: (paths: readonly string[]) => Promise<Iterable<readonly string[]>>,
  ) {
    this.#left = [...files]
    this.#read = read
  }

  learn(names: Iterable<string>): void {
    for (const name of names) this.#names.add(shortName(name))
  }

  /** Whether a file of the tree has a part of one of these names. */
  async has(names: readonly string[], near: string): Promise<boolean> {
    const wanted = names.map(shortName)
    for (;;) {
      if (wanted.some((name) => this.#names.has(name))) return true
      if (this.#left.length === 0) return false
      for (const some of await this.#read(this.#nearest(near))) this.learn(some)
    }
  }

  #nearest(path: string): string[] {
    if (this.#sortedFor !== path) {
      this.#sortedFor = path
      const distance = new Map(this.#left.map((one) => [one, distanceBetween(one, path)]))
      // The nearest are the last.
      this.#left.sort((one, other) => (distance.get(other) ?? 0) - (distance.get(one) ?? 0))
    }
    return this.#left.splice(-atOnce)
  }
}

/** Names are kept for every file of a site, so that long ones are cut to what tells them apart. */
export function shortName(name: string): string {
  if (name.length <= longest) return name
  const [kind = '', second = ''] = name.split(' ', 2)
  return `${kind} ${second}`.slice(0, 40) + ` #${contentHash(Buffer.from(name))}`
}

/** How many folders one goes up and down from a file to another. */
function distanceBetween(one: string, other: string): number {
  const [from, to] = [one.split('/'), other.split('/')]
  let shared = 0
  while (shared < Math.min(from.length, to.length) - 1 && from[shared] === to[shared]) shared++
  return from.length + to.length - 2 * shared
}
