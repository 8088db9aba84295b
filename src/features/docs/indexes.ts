import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Store } from '../../store/database.ts'
import type { BuildMessage } from './build-index.worker.ts'
import { pagesSince, readPages } from './pages.ts'
import { createIndex, needsCompaction, withChanges } from './search/search-index.ts'
import type { SearchIndex } from './search/search-index.ts'
import { readSegment } from './search/segment-file.ts'
import { openSegment } from './search/segment.ts'
import { pageStringsOf } from './search/segment-strings.ts'

/** What tells how new an index must be. */
export interface IndexedProject {
  id: string
  generation: number
  sync: { state: 'pending' | 'syncing' | 'ready' | 'failed' }
}

/** One index in memory per project, loaded when it is first asked for and brought up to date from the stored pages. */
export interface Indexes {
  /** Waits for a first load, or for a small change; while a large change is indexed, the index before it serves. */
  get(project: IndexedProject): Promise<SearchIndex>
  forget(projectId: string): Promise<void>
}

interface Loaded {
  index: SearchIndex
  generation: number
}

/** Changed pages beyond which an index is built anew, in a worker. */
const rebuildAt = 300
const batch = 20
/** Milliseconds that a request waits for a newer index when an older one could serve. */
const patience = 1500

/** @param folder where built indexes are kept for the next start; a missing or damaged file is built again. */
export function createIndexes(store: Store, folder: string): Indexes {
  const loaded = new Map<string, Loaded>()
  const loading = new Map<string, Promise<Loaded>>()

  const refresh = (project: IndexedProject): Promise<Loaded> => {
    const running = loading.get(project.id)
    if (running) return running
    const next = bringUpToDate(store, join(folder, project.id), project, loaded.get(project.id))
      .then((result) => {
        loaded.set(project.id, result)
        return result
      })
      .finally(() => loading.delete(project.id))
    loading.set(project.id, next)
    return next
  }

  return {
    async get(project) {
      const current = loaded.get(project.id)
      if (!current) return (await refresh(project)).index
      if (current.generation >= project.generation || project.sync.state === 'syncing') return current.index
      const newer = refresh(project)
      newer.catch(() => undefined)
      return (await Promise.race([newer, delay(patience, current)])).index
    },
    async forget(projectId) {
      loaded.delete(projectId)
      await rm(join(folder, projectId), { recursive: true, force: true })
    },
  }
}

async function bringUpToDate(
  store: Store,
  folder: string,
  project: IndexedProject,
  current: Loaded | undefined,
): Promise<Loaded> {
  const start = current ?? (await loadNewest(folder)) ?? { index: createIndex([]), generation: 0 }
  if (start.generation === project.generation) return start
  // Pages written while this runs have a higher generation and are taken again the next time.
  const { paths, changed } = await pagesSince(store.db, project.id, start.generation)
  const kept = new Set(paths)
  const removals = pathsOf(start.index).filter((path) => !kept.has(path))
  if (changed.length > rebuildAt)
    return { index: await build(store, folder, project, paths), generation: project.generation }
  const upserts = []
  for (let at = 0; at < changed.length; at += batch)
    upserts.push(...(await readPages(store.db, project.id, changed.slice(at, at + batch))))
  const index = withChanges(start.index, { upserts, removals })
  // A small index is cheap to make again; a large one is compacted, and kept, when enough of it is old.
  return needsCompaction(index)
    ? { index: await build(store, folder, project, paths), generation: project.generation }
    : { index, generation: project.generation }
}

async function build(
  store: Store,
  folder: string,
  project: IndexedProject,
  paths: string[],
): Promise<SearchIndex> {
  const worker = new Worker(new URL('build-index.worker.ts', import.meta.url))
  try {
    for (let at = 0; at < paths.length; at += batch) {
      const pages = await readPages(store.db, project.id, paths.slice(at, at + batch))
      await ask(worker, { pages })
    }
    await mkdir(folder, { recursive: true })
    const before = await readdir(folder)
    const name = `${project.generation}.index`
    const buffer = await ask(worker, { file: join(folder, name) })
    for (const old of before) if (old !== name) await rm(join(folder, old), { force: true })
    if (!(buffer instanceof ArrayBuffer)) throw new Error('The index worker gave no index')
    return createIndex([openSegment(buffer)])
  } finally {
    await worker.terminate()
  }
}

function ask(worker: Worker, message: BuildMessage): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.removeAllListeners()
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The index worker stopped early (${code})`)))
    worker.postMessage(message)
  })
}

async function loadNewest(folder: string): Promise<Loaded | undefined> {
  const names = await readdir(folder).catch(() => [])
  const generations = names.flatMap((name) => /^(\d+)\.index$/.exec(name)?.slice(1).map(Number) ?? [])
  const generation = Math.max(...generations)
  if (generations.length === 0) return undefined
  try {
    return { index: createIndex([await readSegment(join(folder, `${generation}.index`))]), generation }
  } catch {
    await rm(join(folder, `${generation}.index`), { force: true })
    return undefined
  }
}

function pathsOf(index: SearchIndex): string[] {
  return index.parts.flatMap(({ segment, dead }) =>
    Array.from({ length: segment.pages }, (_, page) => page)
      .filter((page) => dead[page] !== 1)
      .map((page) => pageStringsOf(segment, page).path),
  )
}

function delay(milliseconds: number, value: Loaded): Promise<Loaded> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, value).unref())
}
