import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../lib/errors.ts'
import { createFairQueue } from '../../lib/fair-queue.ts'
import { within } from '../../lib/within.ts'
import type { Store } from '../../store/database.ts'
import { segmentOfPages, writeSegmentOf } from './build-index.ts'
import type { EnrichedIndexes } from './enrich/enriched-indexes.ts'
import { claimBuild, newestIndex, readNewest, replaceIndex } from './index-files.ts'
import { readFirstPages } from './navigation.ts'
import { countPages, pathsSince } from './pages.ts'
import { scoreBytes } from './search/rank-part.ts'
import {
  createIndex,
  needsCompaction,
  pathsOf,
  withFirstPages,
  withoutPages,
  withSegment,
  type SearchIndex,
} from './search/search-index.ts'
import { weightsOf } from './search/site-weights.ts'

/** The generation that an index must have. */
export interface IndexedProject {
  id: string
  generation: number
  sync: { state: 'pending' | 'syncing' | 'ready' | 'failed' }
}

/** Keeps one index per project in memory, loaded at its first use and updated from the stored pages. */
export interface Indexes {
  /**
   * For requests, which do not wait for long: while a change is indexed, the older index serves.
   * @throws AppError `unavailable` when there is none and the first one takes longer
   */
  get(project: IndexedProject): Promise<SearchIndex>
  /**
   * For work in the background: waits for the first index, however long it takes to build.
   * @throws AppError `unavailable` while the pages of a large project are read for the first time
   */
  ready(project: IndexedProject): Promise<SearchIndex>
  /**
   * Builds what the next search would have to wait for: the first index, or one after a change of many pages. An index
   * that nobody uses is only written to its file.
   */
  prepare(project: IndexedProject): Promise<void>
  /** Whether the index in memory holds all pages of this state of the project. */
  isCurrent(project: IndexedProject): boolean
  forget(projectId: string): Promise<void>
  /** What models made of the sections of pages, beside the indexes of their words. */
  enriched: EnrichedIndexes | undefined
}

interface Loaded {
  index: SearchIndex
  generation: number
}

interface Limits {
  /** Bytes that loaded indexes may take together; the one that is in use may be larger. */
  memory?: number | undefined
  /** Milliseconds after which an index that nobody uses is unloaded. */
  idle?: number | undefined
  /** Milliseconds that requests wait for a newer index when an older one could serve, and for the first one. */
  patience?: { newer: number; first: number } | undefined
}

interface Loading {
  /** Undefined while the pages of a large project are read for the first time. */
  result: Promise<Loaded | undefined>
  /** Until there is any index, which may be older, or the result. */
  firstIndex: Promise<void>
  /** When requests stop waiting for it, if there is an older index. */
  until: number
}

interface Progress {
  done: number
  total: number
}

/** Changed pages that a search indexes itself, in a second or so. More are prepared. */
const quick = 500
/** Indexes that a process builds at once: each needs memory and a processor. */
const buildsAtOnce = 2
/** Milliseconds between two looks at what another process builds. */
const lookEvery = 500

const defaultMemory = 512 * 1024 ** 2
const defaultIdle = 6 * 3_600_000
const defaultPatience = { newer: 1500, first: 20_000 }

/**
 * An index is built into a file, from which this process and others load it: after a build as after a start. One that
 * is unloaded is read from its file at its next use.
 * @param folder where built indexes are kept; processes may share it. A missing or damaged file is built again.
 */
export function createIndexes(
  store: Store,
  folder: string,
  { memory = defaultMemory, idle = defaultIdle, patience = defaultPatience }: Limits = {},
  enriched?: EnrichedIndexes,
): Indexes {
  // In the order of their last use, and when that was.
  const loaded = new Map<string, Loaded>()
  const used = new Map<string, number>()
  const loading = new Map<string, Loading>()
  const preparing = new Map<string, Promise<void>>()
  const compacting = new Set<string>()
  const builds = new Map<string, Progress>()
  const places = createFairQueue({ atOnce: buildsAtOnce, each: 1, waiting: { each: 100, all: 100_000 } })
  const folderOf = (id: string): string => join(folder, id)

  const noteUse = (id: string): void => {
    const current = loaded.get(id)
    if (current === undefined) return
    loaded.delete(id)
    loaded.set(id, current)
    used.set(id, Date.now())
  }

  const unload = (id: string): void => {
    loaded.delete(id)
    used.delete(id)
  }

  const keepWithinMemory = (): void => {
    let bytes = [...loaded.values()].reduce((sum, { index }) => sum + bytesOf(index), 0)
    for (const [id, { index }] of [...loaded].slice(0, -1)) {
      if (bytes <= memory) return
      bytes -= bytesOf(index)
      unload(id)
    }
  }

  const unloadIdle = (): void => {
    for (const [id, since] of used) if (Date.now() - since >= idle) unload(id)
  }
  setInterval(unloadIdle, Math.max(1000, Math.min(idle, 600_000))).unref()

  const adopt = (id: string, newer: Loaded): Loaded => {
    loaded.set(id, newer)
    noteUse(id)
    keepWithinMemory()
    return newer
  }

  const inOrder = async (id: string, { index, generation }: Loaded): Promise<Loaded> => ({
    index: withFirstPages(index, await readFirstPages(store.db, id)),
    generation,
  })

  const load = async (id: string): Promise<Loaded | undefined> => {
    const newest = await readNewest(folderOf(id))
    return newest && inOrder(id, { index: createIndex([newest.segment]), generation: newest.generation })
  }

  /** Writes an index of all pages, unless another process writes one that is newer than `known`. */
  const build = async ({ id, generation }: IndexedProject, known: number): Promise<void> => {
    for (;;) {
      await using claim = await claimBuild(folderOf(id))
      if (((await newestIndex(folderOf(id))) ?? 0) > known) return
      if (claim !== undefined) {
        const leave = await places.enter(id)
        try {
          const paths = await pathsSince(store.db, id, 0)
          const onBuild = (done: number, total: number): void => void builds.set(id, { done, total })
          await replaceIndex(folderOf(id), generation, (file) =>
            writeSegmentOf(store, id, paths, { file, onBuild }),
          )
          return
        } finally {
          leave()
          builds.delete(id)
        }
      }
      await delay(lookEvery)
    }
  }

  const bringUpToDate = async (project: IndexedProject, onOlder: () => void): Promise<Loaded | undefined> => {
    const { id, generation, sync } = project
    const isNew = !loaded.has(id)
    let start = loaded.get(id) ?? (await load(id)) ?? { index: createIndex([]), generation: 0 }
    for (;;) {
      // Searches have it meanwhile.
      if (start.generation > 0 && start !== loaded.get(id)) adopt(id, start)
      if (start.generation > 0) onOlder()
      if (start.generation >= generation) return start
      if (isNew && start.generation > 0 && sync.state === 'syncing') return start
      // Pages that are written meanwhile have a higher generation and are read again next time.
      const count = await countPages(store.db, id)
      const changed = await pathsSince(store.db, id, start.generation)
      if (!isWhole(changed.length, count)) return applyChanges(store, project, start, { count, changed })
      // The next pages would make it out of date at once.
      if (start.generation === 0 && sync.state === 'syncing' && count > quick) return undefined
      await build(project, start.generation)
      start = (await load(id)) ?? start
    }
  }

  const refresh = (project: IndexedProject): Loading => {
    const running = loading.get(project.id)
    if (running) return running
    const firstIndex = Promise.withResolvers<void>()
    const result = bringUpToDate(project, firstIndex.resolve)
      .then(async (found) => {
        if (found === undefined) return undefined
        const newer = await inOrder(project.id, found)
        adopt(project.id, newer)
        if (needsCompaction(newer.index)) void compact(project, newer.generation)
        return newer
      })
      .finally(() => {
        loading.delete(project.id)
        firstIndex.resolve()
      })
    // Those who wait may have left.
    result.catch(() => undefined)
    const next = { result, firstIndex: firstIndex.promise, until: Date.now() + patience.newer }
    loading.set(project.id, next)
    return next
  }

  // Runs in the background: the present index serves meanwhile, and changes are applied to both.
  const compact = async (project: IndexedProject, generation: number): Promise<void> => {
    if (compacting.has(project.id)) return
    compacting.add(project.id)
    try {
      await build({ ...project, generation }, generation - 1)
      const built = await load(project.id)
      if (loaded.has(project.id) && built) loaded.set(project.id, built)
    } catch {
      // The next change will try again.
    } finally {
      compacting.delete(project.id)
    }
  }

  const prepareFile = async (project: IndexedProject): Promise<void> => {
    const { id, generation } = project
    const newest = (await newestIndex(folderOf(id))) ?? 0
    if (newest >= generation) return
    const count = await countPages(store.db, id)
    const { length } = await pathsSince(store.db, id, newest)
    // Less than that is done by the search that needs it.
    if (isWhole(length, count) || length > quick) await build(project, newest)
  }

  return {
    async get(project) {
      const { id, generation, sync } = project
      const current = loaded.get(id)
      noteUse(id)
      if (current && (current.generation >= generation || sync.state === 'syncing')) return current.index
      const { result, firstIndex, until } = refresh(project)
      if (!current) await within(patience.first, firstIndex, () => undefined)
      const best = (await within(until - Date.now(), result, () => undefined)) ?? loaded.get(id)
      if (best === undefined) throw notYet(builds.get(id))
      return best.index
    },
    async ready(project) {
      const current = loaded.get(project.id)
      if (current) return this.get(project)
      const first = await refresh(project).result
      if (first === undefined) throw notYet(undefined)
      return first.index
    },
    async prepare(project) {
      if (project.sync.state === 'syncing') return
      if (loaded.has(project.id)) {
        if (!this.isCurrent(project)) await refresh(project).result
        return
      }
      const running = preparing.get(project.id)
      if (running) return running
      const next = prepareFile(project).finally(() => preparing.delete(project.id))
      preparing.set(project.id, next)
      return next
    },
    isCurrent: ({ id, generation }) => (loaded.get(id)?.generation ?? -1) >= generation,
    async forget(projectId) {
      unload(projectId)
      enriched?.forget(projectId)
      await rm(folderOf(projectId), { recursive: true, force: true })
    },
    enriched,
  }
}

/** Whether so many pages have changed that all are indexed anew. */
function isWhole(changed: number, count: number): boolean {
  return changed > few && changed * 2 > count
}

/** Pages that are indexed faster than a file is written. */
const few = 8

async function applyChanges(
  store: Store,
  { id, generation }: IndexedProject,
  start: Loaded,
  { count, changed }: { count: number; changed: readonly string[] },
): Promise<Loaded> {
  // Only their order has changed.
  if (changed.length === 0 && start.index.pages === count) return { index: start.index, generation }
  const segment = await segmentOfPages(store, id, changed, weightsOf(start.index))
  const index = await withSegment(start.index, segment, [])
  // Every page is in the index now. If the index holds more, some were removed.
  if (index.pages === count) return { index, generation }
  const kept = new Set(await pathsSince(store.db, id, 0))
  const removals: string[] = []
  for await (const path of pathsOf(index)) if (!kept.has(path)) removals.push(path)
  return { index: await withoutPages(index, removals), generation }
}

/** Its typed arrays, and those that a search fills. */
function bytesOf({ parts }: SearchIndex): number {
  return parts.reduce((sum, { segment }) => sum + segment.buffer.byteLength + scoreBytes(segment), 0)
}

function notYet(progress: Progress | undefined): AppError {
  const part = progress === undefined ? '' : ` (${progress.done} of ${progress.total} pages)`
  return new AppError(
    'unavailable',
    `The pages of this project are being indexed for the first time${part}; try again in a moment`,
  )
}
