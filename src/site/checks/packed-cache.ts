/** Bytes that an entry takes beside its own: its key, and its places in two lists. */
const overhead = 200
/** Milliseconds after which an entry that nobody has asked for makes room. */
const stale = 300_000
/** How many entries are looked at when one has to make room. */
const looked = 8
/** Of so many entries that come when all others are in use, one is kept. */
const admitted = 8

interface Entry {
  bytes: Buffer
  /** Its place in the list of keys. */
  at: number
  usedAt: number
}

/**
 * Bytes by key, up to a weight. They lie outside of the JavaScript heap and hold on to nothing else.
 *
 * Whoever reads more than fits, in the same order again and again, finds most of what fits: a new entry takes the place
 * of one that is no longer in use, and of one in use only now and then. (If the oldest made room, each would be dropped
 * just before it is read again, and nothing would ever be found.)
 */
export class PackedCache {
  readonly #most: number
  readonly #now: () => number
  #entries = new Map<string, Entry>()
  #keys: string[] = []
  #weight = 0

  /** @param most bytes, with what entries take beside their own */
  constructor(most: number, now: () => number = Date.now) {
    this.#most = most
    this.#now = now
  }

  get weight(): number {
    return this.#weight
  }

  has(key: string): boolean {
    return this.#entries.has(key)
  }

  get(key: string): Buffer | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    entry.usedAt = this.#now()
    return entry.bytes
  }

  keep(key: string, bytes: Buffer): void {
    this.#drop(key)
    const weight = weightOf(key, bytes)
    if (weight > this.#most) return
    const now = this.#now()
    while (this.#weight + weight > this.#most) {
      const victim = this.#leastUsed()
      const isInUse = now - (this.#entries.get(victim)?.usedAt ?? 0) < stale
      if (isInUse && Math.random() * admitted >= 1) return
      this.#drop(victim)
    }
    this.#entries.set(key, { bytes, at: this.#keys.length, usedAt: now })
    this.#keys.push(key)
    this.#weight += weight
  }

  #leastUsed(): string {
    let [victim, usedAt] = ['', Infinity]
    for (let n = 0; n < looked; n++) {
      const key = this.#keys[Math.floor(Math.random() * this.#keys.length)] ?? ''
      const entry = this.#entries.get(key)
      if (entry !== undefined && entry.usedAt < usedAt) [victim, usedAt] = [key, entry.usedAt]
    }
    return victim
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#weight -= weightOf(key, entry.bytes)
    // The last key takes its place, so that the list has no gaps.
    const last = this.#keys.pop()
    if (last === undefined || last === key) return
    this.#keys[entry.at] = last
    const moved = this.#entries.get(last)
    if (moved !== undefined) moved.at = entry.at
  }
}

function weightOf(key: string, bytes: Buffer): number {
  return key.length + bytes.length + overhead
}
