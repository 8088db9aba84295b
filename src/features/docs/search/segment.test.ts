import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '../../../lib/errors.ts'
import { buildSegment } from './build-segment.ts'
import { pageOf } from '../../../../tests/worlds/search-world.ts'
import { createIndex } from './search-index.ts'
import { search } from './search.ts'
import { openSegment, readSegment, writeSegment } from './segment.ts'

const segment = buildSegment([
  pageOf('a.md', 'Cache', 'About the cache.\n## Größe\nThe size of the cache: 10 MB.', {
    language: 'de',
    version: 'v2',
  }),
  pageOf('b.md', 'Proxy 代理', '如何使用代理 and 𠮷 too.', { groups: ['x'] }),
])
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'segment-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('a segment read from a file or moved between threads finds the same', async () => {
  const path = join(folder, 'whole')
  await writeSegment(segment, path)
  const read = await readSegment(path)
  const moved = openSegment(structuredClone(segment.buffer))
  for (const query of ['cache', 'size of the cache', 'Größe', '代理', '𠮷', 'chache']) {
    const expected = search(createIndex([segment]), { query, limit: 5 })
    expect(expected.hits.length).toBeGreaterThan(0)
    expect(search(createIndex([read]), { query, limit: 5 })).toEqual(expected)
    expect(search(createIndex([moved]), { query, limit: 5 })).toEqual(expected)
  }
})

test('every flipped byte, a cut and an addition are refused with what to do', async () => {
  const path = join(folder, 'damaged')
  await writeSegment(segment, path)
  const good = await readFile(path)
  for (let at = 0; at < good.length; at += Math.max(1, Math.floor(good.length / 60))) {
    const bad = Buffer.from(good)
    bad[at] = (bad[at] ?? 0) ^ 0x41
    await writeFile(path, bad)
    await expect(readSegment(path), `byte ${at}`).rejects.toThrow(AppError)
  }
  await writeFile(path, good)
  await truncate(path, good.length - 8)
  await expect(readSegment(path)).rejects.toThrow(/build the index again/)
  await writeFile(path, Buffer.concat([good, Buffer.alloc(8)]))
  await expect(readSegment(path)).rejects.toThrow(/build the index again/)
  await writeFile(path, '')
  await expect(readSegment(path)).rejects.toThrow(/too short/)
})

test('an empty segment is a segment', async () => {
  const path = join(folder, 'empty')
  await writeSegment(buildSegment([]), path)
  expect(createIndex([await readSegment(path)]).pages).toBe(0)
})
