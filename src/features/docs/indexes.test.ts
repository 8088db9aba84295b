import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import type { Store } from '../../store/database.ts'
import { createIndexes, type IndexedProject, type Indexes } from './indexes.ts'
import { packNavigation, writeNavigation } from './navigation.ts'
import { pathsSince, writePages } from './pages.ts'
import { insertProject } from '../../../tests/worlds/project.ts'
import { pageOf } from '../../../tests/worlds/search-world.ts'
import { search } from './search/search.ts'

describeOnStore('the indexes', (store) => {
  it('follow changes of few pages and of many, hidden and removed ones', async () => {
    const { id, change, found } = await project(store())
    await change({ 'a.md': 'apple', 'b.md': 'banana', 'c.md': 'cherry' })
    expect(await found('banana')).toEqual(['b.md'])
    await change({ 'b.md': 'blueberry' })
    expect([await found('banana'), await found('blueberry')]).toEqual([[], ['b.md']])
    await change({}, ['a.md'])
    expect(await found('apple')).toEqual([])
    await change({ 'a.md': 'apricot' }, ['c.md'])
    expect([await found('cherry'), await found('apricot')]).toEqual([[], ['a.md']])
    await change({ 'a.md': 'apricot' }, [], true)
    expect(await found('apricot')).toEqual([])
    await change(Object.fromEntries(Array.from({ length: 1500 }, (_, n) => [`many/${n}.md`, `word${n}`])))
    // While a large change is indexed, the index before it serves.
    await expect.poll(() => found('word1499'), { timeout: 120_000 }).toEqual(['many/1499.md'])
    expect(await found('blueberry')).toEqual(['b.md'])
    expect((await pathsSince(store().db, id, 0)).length).toBe(1501)
    await change(Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`many/${n}.md`, `next${n}`])))
    await expect.poll(() => found('next39'), { timeout: 120_000 }).toEqual(['many/39.md'])
    expect(await found('word39')).toEqual([])
    await change(
      {},
      Array.from({ length: 1400 }, (_, n) => `many/${n}.md`),
    )
    await expect.poll(() => found('next39'), { timeout: 120_000 }).toEqual([])
    expect(await found('word1450')).toEqual(['many/1450.md'])
  })

  it('are kept for the next start, and brought up to date from there', async () => {
    const { change, folder, found, indexes, current } = await project(store())
    await change(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}.md`, `word${n}`])))
    // Another process writes its own, and one was killed long ago.
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, '1.index.b.tmp'), '')
    await writeFile(join(folder, '1.index.a.tmp'), '')
    await utimes(join(folder, '1.index.a.tmp'), 0, 0)
    expect(await found('word7')).toEqual(['7.md'])
    expect((await readdir(folder)).sort()).toEqual(['1.index', '1.index.b.tmp'])
    await change({ '7.md': 'seven' }, ['8.md'])
    const again = createIndexes(store(), join(folder, '..'), patient)
    expect(await findIn(again, await current(), 'seven')).toEqual(['7.md'])
    expect(await findIn(again, await current(), 'word8')).toEqual([])
    expect(await findIn(indexes, await current(), 'word9')).toEqual(['9.md'])
  })

  it('know the beginning of the navigation, also where only that changes', async () => {
    const { id, change, current, indexes } = await project(store())
    await change({ 'a.md': 'apple', 'b.md': 'banana' })
    const order = async (...paths: string[]): Promise<readonly string[]> => {
      await store().transaction(async (tx) => {
        await writeNavigation(tx, id, packNavigation(paths.map((path) => ({ path }))))
        await tx
          .updateTable('projects')
          .set({ framework: 'mkdocs', generation: sql<number>`generation + 1` })
          .where('id', '=', id)
          .execute()
      })
      return (await indexes.ready(await current())).firstPages
    }
    expect(await order('b.md', 'gone.md', 'a.md')).toEqual(['b.md', 'a.md'])
    expect(await order('a.md', 'b.md')).toEqual(['a.md', 'b.md'])
    await change({ 'c.md': 'cherry' })
    const index = await indexes.ready(await current())
    expect([index.firstPages, index.pages]).toEqual([['a.md', 'b.md'], 3])
  })

  it('are unloaded when they need too much memory or nobody uses them, and load again when they are used', async () => {
    const [one, two] = [await project(store()), await project(store())]
    for (const { change } of [one, two]) {
      await change(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}.md`, `word${n}`])))
    }
    const open = (limits: Parameters<typeof createIndexes>[2]): Indexes =>
      createIndexes(store(), join(one.folder, '..'), { ...patient, ...limits })
    const roomy = open({})
    const first = await roomy.get(await one.current())
    expect(await findIn(roomy, await two.current(), 'word3')).toEqual(['3.md'])
    expect(await roomy.get(await one.current())).toBe(first)
    const tight = open({ memory: 1 })
    const before = await tight.get(await one.current())
    expect(await findIn(tight, await two.current(), 'word3')).toEqual(['3.md'])
    expect(await tight.get(await one.current())).not.toBe(before)
    expect(await findIn(tight, await one.current(), 'word7')).toEqual(['7.md'])
    const hasty = open({ idle: 0 })
    const unused = await hasty.get(await one.current())
    const isKept = async (): Promise<boolean> => (await hasty.get(await one.current())) === unused
    await expect.poll(isKept, { interval: 500 }).toBe(false)
  })

  it('are built by one of the processes that share a folder, and loaded from its file by all', async () => {
    const { change, current, folder, indexes } = await project(store())
    await change(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}.md`, `word${n}`])))
    const other = createIndexes(store(), join(folder, '..'), patient)
    await Promise.all([indexes.prepare(await current()), other.prepare(await current())])
    expect(await readdir(folder)).toEqual(['1.index'])
    // Nobody has searched, so nothing is in memory.
    expect(indexes.isCurrent(await current())).toBe(false)
    await writeFile(`${folder}.building`, '')
    expect(await findIn(other, await current(), 'word7')).toEqual(['7.md'])
    expect(await findIn(indexes, await current(), 'word8')).toEqual(['8.md'])
  })

  it('say that the first one is being built to who cannot wait, and are there for who can', async () => {
    const { change, current, folder } = await project(store())
    await change(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}.md`, `word${n}`])))
    // Another process builds it.
    await writeFile(`${folder}.building`, '')
    const indexes = createIndexes(store(), join(folder, '..'), { patience: { newer: 10, first: 20 } })
    await expect(indexes.get(await current())).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The pages of this project are being indexed for the first time; try again in a moment',
    })
    const waiting = indexes.ready(await current())
    await rm(`${folder}.building`)
    expect((await waiting).pages).toBe(30)
    expect(await findIn(indexes, await current(), 'word7')).toEqual(['7.md'])
  })

  it('serve the index of a file while a newer one is built, after a start as well', async () => {
    const { change, current, folder, indexes } = await project(store())
    const pages = (word: string) =>
      Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}.md`, `${word}${n}`]))
    await change(pages('old'))
    await indexes.prepare(await current())
    await change(pages('new'))
    await writeFile(`${folder}.building`, '')
    const again = createIndexes(store(), join(folder, '..'), { patience: { newer: 10, first: 60_000 } })
    expect(await findIn(again, await current(), 'old7')).toEqual(['7.md'])
    await rm(`${folder}.building`)
    await expect
      .poll(async () => findIn(again, await current(), 'new7'), { timeout: 120_000 })
      .toEqual(['7.md'])
  })

  it('are not there while the pages of a large project are read for the first time', async () => {
    const { change, current, indexes } = await project(store())
    await change(Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`${n}.md`, `word${n}`])))
    const syncing = { ...(await current()), sync: { state: 'syncing' as const } }
    await expect(indexes.ready(syncing)).rejects.toMatchObject({ code: 'unavailable' })
    expect((await indexes.ready(await current())).pages).toBe(501)
  })

  it('index a page of tens of thousands of headings in a thread, and merge it in none', async () => {
    let threads = 0
    const count = (): void => void threads++
    process.on('worker', count)
    onTestFinished(() => void process.off('worker', count))
    const { id, change, current, indexes } = await project(store())
    await change({ 'a.md': 'apple' })
    await indexes.ready(await current())
    expect(threads).toBe(0)
    await change({ 'a.md': 'apple', 'long.md': '## heading\n'.repeat(20_000) })
    await indexes.prepare(await current())
    expect(threads).toBe(1)
    const { parts } = await indexes.get(await current())
    expect(parts.map(({ segment }) => segment.sections)).toEqual([20_001])
    await change({ 'long.md': `banana\n${'## heading\n'.repeat(20_000)}` })
    expect(await findIn(indexes, await current(), 'apple')).toEqual(['a.md'])
    expect((await pathsSince(store().db, id, 0)).length).toBe(2)
  })

  it('serve what they have while a change of many pages is written', async () => {
    const { change, current, indexes, found } = await project(store())
    await change({ 'a.md': 'apple' })
    expect(await found('apple')).toEqual(['a.md'])
    await change({ 'a.md': 'avocado' })
    const syncing = { ...(await current()), sync: { state: 'syncing' as const } }
    expect(await findIn(indexes, syncing, 'apple')).toEqual(['a.md'])
    expect(await found('avocado')).toEqual(['a.md'])
  })
})

/** On a machine that is busy with other tests, a thread may need long to start. */
const patient = { patience: { newer: 1500, first: 120_000 } }

async function findIn(indexes: Indexes, of: IndexedProject, query: string): Promise<string[]> {
  return search(await indexes.get(of), { query, limit: 10 }).hits.map(({ path }) => path)
}

async function project(store: Store) {
  const id = await insertProject(store)
  const base = await mkdtemp(join(tmpdir(), 'docwright-indexes-'))
  const indexes = createIndexes(store, base, patient)
  const current = async (): Promise<IndexedProject> => {
    const { generation } = await store.db
      .selectFrom('projects')
      .select('generation')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return { id, generation, sync: { state: 'ready' } }
  }
  return {
    id,
    folder: join(base, id),
    indexes,
    current,
    async change(texts: Record<string, string>, removed: string[] = [], hidden = false) {
      const pages = Object.entries(texts).map(([path, text]) => ({
        page: { ...pageOf(path, 'Fruit', text), hidden },
        oid: text,
        included: {},
        content: text,
      }))
      await store.transaction((tx) => writePages(tx, id, pages, removed))
    },
    found: async (query: string) => findIn(indexes, await current(), query),
  }
}
