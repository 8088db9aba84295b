import { type PageFacts, packFacts, unpackFacts } from './page-facts.ts'
import { PackedCache } from './packed-cache.ts'

/** Bytes of packed facts and fragments: those of some 80,000 pages. */
const mostPacked = 192 * 1024 ** 2
/** Bytes of those that are unpacked as well, before they were: they take a few times as much then. */
const mostUnpacked = 8 * 1024 ** 2

/**
 * A cache by blob, shared by views, so that an unchanged page is parsed once. Facts are parts of the page's text, and a
 * part keeps the whole text in memory, so they are kept as bytes, and unpacked when they are asked for.
 */
export class FactsCache {
  readonly #packed: PackedCache
  readonly #facts: Unpacked<PageFacts>
  readonly #anchors: Unpacked<ReadonlySet<string>>
  readonly #names: Unpacked<readonly string[]>

  constructor({ packed = mostPacked, unpacked = mostUnpacked }: { packed?: number; unpacked?: number } = {}) {
    this.#packed = new PackedCache(packed)
    this.#facts = new Unpacked(this.#packed, unpacked, unpackFacts)
    this.#anchors = new Unpacked(this.#packed, unpacked, unpackAnchors)
    this.#names = new Unpacked(this.#packed, unpacked, unpackNames)
  }

  get(oid: string): PageFacts | undefined {
    return this.#facts.get(oid)
  }

  keep(oid: string, facts: PageFacts): void {
    this.#facts.keep(oid, packFacts(facts))
  }

  /** Fragments of a page; `dialect` tells them from those that other sites would make of the same text. */
  anchors(oid: string, dialect: string): ReadonlySet<string> | undefined {
    return this.#anchors.get(`${oid} ${dialect}`)
  }

  keepAnchors(oid: string, dialect: string, anchors: ReadonlySet<string>): void {
    this.#anchors.keep(`${oid} ${dialect}`, Buffer.from(JSON.stringify([...anchors])))
  }

  /** Names of what else a file has; `kind` tells what. */
  names(oid: string, kind: string): readonly string[] | undefined {
    return this.#names.get(`${oid} ${kind}`)
  }

  keepNames(oid: string, kind: string, names: readonly string[]): void {
    this.#names.keep(`${oid} ${kind}`, Buffer.from(JSON.stringify(names)))
  }
}

/** What was used last, as it is used. */
class Unpacked<Value> {
  readonly #packed: PackedCache
  readonly #most: number
  readonly #unpack: (bytes: Buffer) => Value
  #entries = new Map<string, { value: Value; size: number }>()
  #size = 0

  constructor(packed: PackedCache, most: number, unpack: (bytes: Buffer) => Value) {
    this.#packed = packed
    this.#most = most
    this.#unpack = unpack
  }

  get(key: string): Value | undefined {
    const bytes = this.#packed.get(key)
    const entry = this.#entries.get(key)
    if (entry === undefined) return bytes === undefined ? undefined : this.#use(key, bytes)
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  keep(key: string, bytes: Buffer): void {
    this.#packed.keep(key, bytes)
    // What found no place may be asked for again at once, as by the next link to the same page.
    if (!this.#packed.has(key)) this.#use(key, bytes)
  }

  #use(key: string, bytes: Buffer): Value {
    const value = this.#unpack(bytes)
    this.#size += bytes.length - (this.#entries.get(key)?.size ?? 0)
    this.#entries.delete(key)
    this.#entries.set(key, { value, size: bytes.length })
    for (const [oldest, { size }] of this.#entries) {
      if (this.#size <= this.#most || oldest === key) break
      this.#entries.delete(oldest)
      this.#size -= size
    }
    return value
  }
}

function unpackAnchors(bytes: Buffer): ReadonlySet<string> {
  return new Set(unpackNames(bytes))
}

function unpackNames(bytes: Buffer): readonly string[] {
  const names: string[] = JSON.parse(bytes.toString())
  return names
}
