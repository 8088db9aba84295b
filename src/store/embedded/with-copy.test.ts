import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openEmbeddedStore, type Reader } from '../database.ts'
import { withCopy } from './with-copy.ts'

const textsOf = async (db: Reader): Promise<string[]> =>
  (await sql<{ text: string }>`select text from notes order by 1`.execute(db)).rows.map(({ text }) => text)

it('reads one state of the store while others write, and leaves no copy', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-copy-'))
  try {
    await mkdir(join(folder, 'store.copy'))
    await using store = await openEmbeddedStore(join(folder, 'store'))
    expect(await readdir(folder)).toEqual(['store'])
    await sql`create table notes (text text)`.execute(store.db)
    const add = (text: string) =>
      store.transaction((tx) => sql`insert into notes values (${text})`.execute(tx))
    await add('before')
    const read = await store.snapshot(async (tx) => {
      const first = await textsOf(tx)
      await add('meanwhile')
      return [first, await textsOf(tx)]
    })
    expect(read).toEqual([['before'], ['before']])
    expect(await textsOf(store.db)).toEqual(['before', 'meanwhile'])
    await expect(store.snapshot(() => Promise.reject(new Error('stop')))).rejects.toThrow('stop')
    expect(await readdir(folder)).toEqual(['store'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

it('copies nothing where the disk has no room', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-copy-'))
  try {
    // Holes take no place on a disk, and would in a copy.
    await writeFile(join(folder, 'large'), '')
    await truncate(join(folder, 'large'), 12e12)
    let copies = 0
    const engine = { copy: () => Promise.resolve(void copies++) }
    const answer = await withCopy(engine, folder, () => Promise.resolve(copies))
    expect([answer, copies]).toEqual([undefined, 0])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
