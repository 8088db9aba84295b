import { expect, it } from 'vitest'
import type { FileView } from '../files.ts'
import { FactsCache } from './facts-cache.ts'
import { PackedCache } from './packed-cache.ts'
import { packFacts, readFacts, unpackFacts } from './page-facts.ts'
import { SiteView } from './site-view.ts'

const page = `---
title: Install
description: "How: to"
tags: [a, b]
order: 3
nested: { deep: [1, null, true] }
---

(setup)=
See [the guide](guide.md#top) and ![a picture](a.png).

\`[in code](x.md)\`

--8<-- "part.md"
`

it('packs all that is known of a page', () => {
  for (const text of [page, '# Only a title\n', '', '---\nbroken: [\n---\n\n[x](y.md)\n']) {
    const facts = readFacts(text)
    expect(unpackFacts(packFacts(facts))).toEqual(facts)
  }
})

it('packs front matter that JSON cannot hold', () => {
  const dated = readFacts('+++\ndate = 2026-01-02T03:04:05Z\nweight = inf\n+++\n\nText\n')
  const { data } = unpackFacts(packFacts(dated)).frontMatter
  expect(data['date']).toBeInstanceOf(Date)
  expect(data['weight']).toBe(Infinity)
})

it('keeps facts and fragments, and holds on to no text', () => {
  const cache = new FactsCache()
  cache.keep('a', readFacts(page))
  cache.keepAnchors('a', 'github', new Set(['one', 'two']))
  expect(cache.get('a')).toEqual(readFacts(page))
  expect(cache.get('a')).toBe(cache.get('a'))
  expect(cache.anchors('a', 'github')).toEqual(new Set(['one', 'two']))
  expect(cache.anchors('a', 'mdbook')).toBeUndefined()
  expect(cache.get('b')).toBeUndefined()
})

it('has what was used last, even if there is room for nothing else', () => {
  const cache = new FactsCache({ packed: 0, unpacked: 1 })
  cache.keep('a', readFacts(page))
  expect(cache.get('a')?.title).toBe('Install')
  cache.keep('b', readFacts('# B\n'))
  expect([cache.get('a'), cache.get('b')?.title]).toEqual([undefined, 'B'])
})

it('loses no page whose place others take in the same step', async () => {
  const paths = Array.from({ length: 200 }, (_, n) => `${n}.md`)
  const readOne = async (path: string) => Buffer.from(`# ${path}\n`)
  const files: FileView = {
    revision: 0,
    list: () => paths.map((path) => ({ path, oid: path })),
    read: readOne,
    readSome: (some) => Promise.all(some.map(readOne)),
  }
  for (const most of [0, 3000, 20_000]) {
    const view = new SiteView({ files, root: '', cache: new FactsCache({ packed: most, unpacked: 500 }) })
    for (let scanned = 0; scanned < 3; scanned++) {
      const titles: (string | undefined)[] = []
      for await (const { facts } of view.eachFacts(paths)) titles.push(facts.title)
      expect(titles).toEqual(paths)
    }
  }
})

const bytes = Buffer.alloc(800)
const keys = Array.from({ length: 2000 }, (_, n) => String(n).padStart(4, '0'))

/** Reads all keys in order, and keeps those that are not there. @returns how many were */
function scan(cache: PackedCache, all: readonly string[]): number {
  return all.filter((key) => {
    if (cache.get(key) !== undefined) return true
    cache.keep(key, bytes)
    return false
  }).length
}

it('finds most of what fits when more than fits is read again and again', () => {
  // Half of the keys fit. With the oldest making room, every scan would find none.
  const cache = new PackedCache(1000 * 1004, () => 0)
  const found = [1, 2, 3, 4, 5].map(() => scan(cache, keys))
  expect(found[0]).toBe(0)
  for (const count of found.slice(1)) expect(count).toBeGreaterThan(700)
  expect(cache.weight).toBeLessThanOrEqual(1000 * 1004)
})

it('makes room for others at once when what it holds is no longer used', () => {
  let now = 0
  const cache = new PackedCache(1000 * 1004, () => now)
  scan(cache, keys)
  now += 600_000
  const others = keys.slice(0, 900).map((key) => `b${key}`)
  scan(cache, others)
  expect(scan(cache, others)).toBeGreaterThan(850)
})

it('replaces bytes of the same key, and leaves out what is larger than all of it', () => {
  const cache = new PackedCache(2000)
  cache.keep('a', bytes)
  cache.keep('a', Buffer.alloc(10))
  expect([cache.get('a')?.length, cache.weight]).toEqual([10, 211])
  cache.keep('b', Buffer.alloc(3000))
  expect(cache.has('b')).toBe(false)
})
