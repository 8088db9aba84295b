import { createTextThread, ThreadFailure } from '../../lib/threads/text-thread.ts'
import type { Store } from '../../store/database.ts'
import type { BuildThread } from './build-index.worker.ts'
import { type PackedPage, readPackedPages, unpackPage, writePages } from './pages.ts'
import { buildSegment } from './search/build-segment.ts'
import { openSegment, type Segment } from './search/segment.ts'
import type { SiteWeights } from './search/site-weights.ts'
import { noteUnreadable } from './unreadable-files.ts'

/** Is told how many pages are read. */
export type OnBuild = (done: number, total: number) => void

/** The most changed pages, and characters in them, for which starting a thread would take longer than the work. */
const few = 8
const quick = 50_000
/** Pages that are read at once, and the characters that they should not exceed by much. */
const batch = 20
const batchCharacters = 500_000

/**
 * A segment of some pages: made at once when they are few, else in a thread.
 * @param site what is usual in the index to which they are added
 */
export async function segmentOfPages(
  store: Store,
  projectId: string,
  paths: readonly string[],
  site: SiteWeights | undefined,
): Promise<Segment> {
  if (paths.length <= few) {
    const pages = await readPackedPages(store.db, projectId, paths)
    const length = pages.reduce((sum, { sections }) => sum + sections.length, 0)
    if (length < quick) return buildSegment(pages.map(unpackPage), site)
  }
  const buffer = await buildInThread(store, projectId, paths, { file: undefined, site })
  if (buffer === undefined) throw new Error('The thread has not answered with a segment')
  return openSegment(buffer)
}

/** Writes a file with the segment of some pages. What it is made of is gone with the thread that makes it. */
export async function writeSegmentOf(
  store: Store,
  projectId: string,
  paths: readonly string[],
  { file, onBuild }: { file: string; onBuild: OnBuild },
): Promise<void> {
  await buildInThread(store, projectId, paths, { file, site: undefined, onBuild })
}

async function buildInThread(
  store: Store,
  projectId: string,
  paths: readonly string[],
  { file, site, onBuild }: { file: string | undefined; site: SiteWeights | undefined; onBuild?: OnBuild },
): Promise<ArrayBuffer | undefined> {
  // Each build has a thread of its own, whose memory is freed when it ends.
  const thread = createTextThread<BuildThread>(new URL('build-index.worker.ts', import.meta.url), {
    deadline: 60_000,
    memory: 2048,
  })
  try {
    return await thread.run({ file, site }, { answer: pagesInBatches(store, projectId, paths, onBuild) })
  } catch (error) {
    // When memory ran out, all pages together were too much, not one of them.
    if (!(error instanceof ThreadFailure) || error.reason === 'memory') throw error
    const path = error.text
    if (path === undefined) throw error
    await leaveOut(store, projectId, path, error)
    const others = paths.filter((one) => one !== path)
    return await buildInThread(store, projectId, others, { file, site, ...(onBuild && { onBuild }) })
  } finally {
    thread.stop()
  }
}

/** The next pages at each call, and none at the end. */
function pagesInBatches(
  store: Store,
  projectId: string,
  paths: readonly string[],
  onBuild?: OnBuild,
): () => Promise<PackedPage[]> {
  let [at, count] = [0, batch]
  return async () => {
    // Pages that were removed meanwhile make a batch smaller. An empty one would mean the end.
    while (at < paths.length) {
      const pages = await readPackedPages(store.db, projectId, paths.slice(at, at + count))
      at += count
      onBuild?.(Math.min(at, paths.length), paths.length)
      const length = pages.reduce((sum, { sections }) => sum + sections.length, 0)
      count = length > batchCharacters ? Math.max(1, count >> 1) : Math.min(batch, count * 2)
      if (pages.length > 0) return pages
    }
    return []
  }
}

/** A page that cannot be indexed is left out and reported, so that the others can be found. */
async function leaveOut(
  store: Store,
  projectId: string,
  path: string,
  failure: ThreadFailure,
): Promise<void> {
  await store.transaction(async (tx) => {
    const page = await tx
      .selectFrom('pages')
      .select('oid')
      .where('project_id', '=', projectId)
      .where('path', '=', path)
      .executeTakeFirst()
    if (page === undefined) return
    await noteUnreadable(tx, projectId, { path, oid: page.oid }, failure)
    await writePages(tx, projectId, [], [path])
  })
}
