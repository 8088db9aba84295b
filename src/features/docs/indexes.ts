import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ThreadFailure, createTextThread } from '../../lib/threads/text-thread.ts'
import type { Store } from '../../store/database.ts'
import type { BuildThread } from './build-index.worker.ts'
import type { EnrichedIndexes } from './enrich/enriched-indexes.ts'
import { countPages, pathsSince, readPages, writePages } from './pages.ts'
import { buildSegment } from './search/build-segment.ts'
import {
  createIndex,
  needsCompaction,
  withChanges,
  withSegment,
  type SearchIndex,
} from './search/search-index.ts'
import { scoreBytes } from './search/rank-part.ts'
import { openSegment, readSegment, type Segment } from './search/segment.ts'
import { pageStringsOf } from './search/segment-strings.ts'
import { noteUnreadable } from './unreadable-files.ts'

/** The generation that an index must have. */
export interface IndexedProject {
  id: string
  generation: number
  sync: { state: 'pending' | 'syncing' | 'ready' | 'failed' }
}

/** Keeps one index per project in memory, loaded at its first use and updated from the stored pages. */
export interface Indexes {
  /** Waits for a first load, or for a small change. While a large change is indexed, the older index serves. */
  get(project: IndexedProject): Promise<SearchIndex>
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
}

interface Loading {
  result: Promise<Loaded>
  /** When requests stop waiting for it, if there is an older index. */
  until: number
}

/** The most changed pages, and characters in them, for which starting a thread would take longer than the work. */
const few = 8
const quick = 100_000
const batch = 20
/** Milliseconds that requests wait for a newer index when an older one could serve. */
const patience = 1500

const defaultMemory = 512 * 1024 ** 2
const defaultIdle = 6 * 3_600_000

/**
 * An index that is unloaded is read from its file at its next use.
 * @param folder where built indexes are kept for the next start; a missing or damaged file is built again.
 */
export function createIndexes(
  store: Store,
  folder: string,
  { memory = defaultMemory, idle = defaultIdle }: Limits = {},
  enriched?: EnrichedIndexes,
): Indexes {
  // In the order of their last use, and when that was.
  const loaded = new Map<string, Loaded>()
  const used = new Map<string, number>()
  const loading = new Map<string, Loading>()
  const compacting = new Set<string>()
  const folderOf = ({ id }: IndexedProject): string => join(folder, id)

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

  const refresh = (project: IndexedProject): Loading => {
    const running = loading.get(project.id)
    if (running) return running
    const result = bringUpToDate(store, folderOf(project), project, loaded.get(project.id))
      .then((newer) => {
        loaded.set(project.id, newer)
        noteUse(project.id)
        keepWithinMemory()
        if (needsCompaction(newer.index)) void compact(project)
        return newer
      })
      .finally(() => loading.delete(project.id))
    const next = { result, until: Date.now() + patience }
    loading.set(project.id, next)
    return next
  }

  // Runs in the background: the present index serves meanwhile, and changes are applied to both.
  const compact = async (project: IndexedProject): Promise<void> => {
    if (compacting.has(project.id)) return
    compacting.add(project.id)
    try {
      const built = await build(store, folderOf(project), project)
      if (loaded.has(project.id)) loaded.set(project.id, built)
    } catch {
      // The next change will try again.
    } finally {
      compacting.delete(project.id)
    }
  }

  return {
    async get(project) {
      const current = loaded.get(project.id)
      noteUse(project.id)
      if (!current) return (await refresh(project).result).index
      if (current.generation >= project.generation || project.sync.state === 'syncing') return current.index
      const { result, until } = refresh(project)
      result.catch(() => undefined)
      return (await Promise.race([result, delay(until - Date.now(), current)])).index
    },
    isCurrent: ({ id, generation }) => (loaded.get(id)?.generation ?? -1) >= generation,
    async forget(projectId) {
      unload(projectId)
      enriched?.forget(projectId)
      await rm(join(folder, projectId), { recursive: true, force: true })
    },
    enriched,
  }
}

async function bringUpToDate(
  store: Store,
  folder: string,
  project: IndexedProject,
  current: Loaded | undefined,
): Promise<Loaded> {
  const { generation } = project
  const start = current ?? (await loadNewest(folder)) ?? { index: createIndex([]), generation: 0 }
  if (start.generation === generation) return start
  // Pages that are written meanwhile have a higher generation and are read again next time.
  const count = await countPages(store.db, project.id)
  const changed = await pathsSince(store.db, project.id, start.generation)
  if (changed.length > few && changed.length * 2 > count) return build(store, folder, project)
  const index = withSegment(start.index, await segmentOfChanges(store, project, changed), [])
  // Every page is in the index now. If the index holds more, some were removed.
  if (index.pages === count) return { index, generation }
  const kept = new Set(await pathsSince(store.db, project.id, 0))
  const removals = pathsOf(index).filter((path) => !kept.has(path))
  return { index: withChanges(index, { upserts: [], removals }), generation }
}

async function segmentOfChanges(store: Store, project: IndexedProject, paths: string[]): Promise<Segment> {
  if (paths.length <= few) {
    const pages = await readPages(store.db, project.id, paths)
    const length = pages.reduce((sum, { sections }) => sum + lengthOf(sections), 0)
    if (length < quick) return buildSegment(pages)
  }
  return segmentInWorker(store, project, paths, undefined)
}

/** Its typed arrays, and those that a search fills. */
function bytesOf({ parts }: SearchIndex): number {
  return parts.reduce((sum, { segment }) => sum + segment.buffer.byteLength + scoreBytes(segment), 0)
}

function lengthOf(sections: readonly { text: string }[]): number {
  return sections.reduce((sum, { text }) => sum + text.length, 0)
}

/** An index of one segment, kept in the folder. */
async function build(store: Store, folder: string, project: IndexedProject): Promise<Loaded> {
  const { generation } = project
  const paths = await pathsSince(store.db, project.id, 0)
  await mkdir(folder, { recursive: true })
  const before = await readdir(folder)
  const name = `${generation}.index`
  const segment = await segmentInWorker(store, project, paths, join(folder, name))
  for (const old of before)
    if (old !== name && !(await isBeingWritten(join(folder, old))))
      await rm(join(folder, old), { force: true })
  return { index: createIndex([segment]), generation }
}

/** Another process may be writing its own; what is older was left by one that was killed. */
async function isBeingWritten(path: string): Promise<boolean> {
  if (!path.endsWith('.tmp')) return false
  const file = await stat(path).catch(() => undefined)
  return file !== undefined && Date.now() - file.mtimeMs < 600_000
}

async function segmentInWorker(
  store: Store,
  project: IndexedProject,
  paths: readonly string[],
  file: string | undefined,
): Promise<Segment> {
  // Each build has a thread of its own, whose memory is freed when it ends.
  const thread = createTextThread<BuildThread>(new URL('build-index.worker.ts', import.meta.url), {
    deadline: 60_000,
    memory: 2048,
  })
  let at = 0
  try {
    const buffer = await thread.run(
      { file },
      {
        answer: async () => {
          // Pages that were removed meanwhile make a batch smaller. An empty one would mean the end.
          for (; at < paths.length;) {
            const pages = await readPages(store.db, project.id, paths.slice(at, (at += batch)))
            if (pages.length > 0) return pages
          }
          return []
        },
      },
    )
    return openSegment(buffer)
  } catch (error) {
    // When memory ran out, all pages together were too much, not one of them.
    if (!(error instanceof ThreadFailure) || error.reason === 'memory') throw error
    const path = error.text
    if (path === undefined) throw error
    await leaveOut(store, project, path, error)
    return segmentInWorker(
      store,
      project,
      paths.filter((one) => one !== path),
      file,
    )
  } finally {
    thread.stop()
  }
}

/** A page that cannot be indexed is left out and reported, so that the others can be found. */
async function leaveOut(
  store: Store,
  { id }: IndexedProject,
  path: string,
  failure: ThreadFailure,
): Promise<void> {
  await store.transaction(async (tx) => {
    const page = await tx
      .selectFrom('pages')
      .select('oid')
      .where('project_id', '=', id)
      .where('path', '=', path)
      .executeTakeFirst()
    if (page === undefined) return
    await noteUnreadable(tx, id, { path, oid: page.oid }, failure)
    await writePages(tx, id, [], [path])
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
  return index.parts.flatMap(({ segment, deleted }) =>
    Array.from({ length: segment.pages }, (_, page) => page)
      .filter((page) => deleted[page] !== 1)
      .map((page) => pageStringsOf(segment, page).path),
  )
}

function delay(milliseconds: number, value: Loaded): Promise<Loaded> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds), value).unref())
}
