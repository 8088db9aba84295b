import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { messageOf } from '../../lib/errors.ts'
import { json } from '../../store/database.ts'
import type { Store } from '../../store/database.ts'
import { fetchMirror } from '../../integrations/git/fetch-mirror.ts'
import type { Repository } from '../../integrations/git/git.ts'
import type { Remote } from '../../integrations/git/remote.ts'
import { resolveReference } from '../../integrations/git/resolve-reference.ts'
import { knownPages, writePages } from './pages.ts'
import type { ParseMessage, ParseTask } from './parse-tree.worker.ts'

/** What a sync needs to know of a project. */
export interface SyncedProject {
  id: string
  domain: string
  ref: string
  root: string
}

export interface SyncDependencies {
  store: Store
  /** The project's mirror and where it is fetched from. */
  open(project: SyncedProject): Promise<{ repository: Repository; remote: Remote }>
  /** What is to be read now that the project's branch is gone; `followed`: the project has gone over to it. */
  followDefault(project: SyncedProject): Promise<{ branch: string; followed: boolean } | undefined>
  /** Aborted when this process is to end: the sync stops where it is, and the next one goes on from there. */
  stopping: AbortSignal
}

/**
 * Brings the stored pages to the head of the project's branch: fetches, parses what changed, writes it in batches.
 * Repeatable: what an interrupted sync wrote is compared and kept. A failure is recorded on the project.
 * @throws what it failed by, and the reason of `stopping`, which is no failure
 */
export async function syncProject(dependencies: SyncDependencies, project: SyncedProject): Promise<void> {
  const { store, stopping } = dependencies
  const report = createReporter(store, project.id)
  try {
    const { repository, remote } = await dependencies.open(project)
    await fetchMirror(repository, remote, {
      head: project.ref,
      signal: stopping,
      onProgress: ({ phase, done, total }) => report(phase, done, total ?? null),
    })
    const commit = await headOf(dependencies, project, repository)
    await indexCommit(dependencies, project, repository, commit, report)
  } catch (error) {
    stopping.throwIfAborted()
    await store.transaction((tx) =>
      tx
        .updateTable('projects')
        .set({ sync_state: 'failed', sync_error: messageOf(error).slice(0, 2000), sync_progress: json(null) })
        .where('id', '=', project.id)
        .execute(),
    )
    throw error
  }
}

async function headOf(
  dependencies: SyncDependencies,
  project: SyncedProject,
  repository: Repository,
): Promise<string> {
  const { ref, domain } = project
  const commit = await resolveReference(repository, `refs/heads/${ref}`)
  if (commit !== undefined) return commit
  const now = await dependencies.followDefault(project)
  const followed = now?.followed && (await resolveReference(repository, `refs/heads/${now.branch}`))
  if (followed) return followed
  const other =
    now === undefined
      ? `name another with "docwright project connect ${domain} --ref BRANCH"`
      : `its default branch is "${now.branch}" now, so read that with "docwright project connect ${domain} --ref ${now.branch}", or with "--ref HEAD" to follow the default branch from now on`
  throw new Error(`The repository has no branch "${ref}" any more: bring it back, or ${other}`)
}

/** Pages that are removed at once. */
const removedAtOnce = 200

type Report = (phase: string, done: number, total: number | null) => void

async function indexCommit(
  { store, stopping }: SyncDependencies,
  project: SyncedProject,
  repository: Repository,
  commit: string,
  report: Report,
): Promise<void> {
  const before = await store.db
    .selectFrom('projects')
    .select(['synced_commit', 'fingerprint', 'root', 'sync_state'])
    .where('id', '=', project.id)
    .executeTakeFirst()
  if (!before) return
  const known = await knownPages(store.db, project.id)
  const task: ParseTask = {
    repository,
    commit,
    root: project.root,
    known,
    fingerprint: before.fingerprint ?? undefined,
  }
  let marked = false
  // Readers of the index wait for the end of a change of several batches instead of following each.
  const markSyncing = async (): Promise<void> => {
    if (marked) return
    marked = true
    await store.transaction((tx) =>
      tx.updateTable('projects').set({ sync_state: 'syncing' }).where('id', '=', project.id).execute(),
    )
  }
  await parseInWorker(task, stopping, async (message) => {
    if (message.kind === 'batch') {
      if (message.done < message.total) await markSyncing()
      report('Indexing pages', message.done, message.total)
      await store.transaction((tx) => writePages(tx, project.id, message.pages, []))
      return
    }
    let { removed } = message
    for (; removed.length > removedAtOnce; removed = removed.slice(removedAtOnce)) {
      await markSyncing()
      const some = removed.slice(0, removedAtOnce)
      await store.transaction((tx) => writePages(tx, project.id, [], some))
    }
    await store.transaction(async (tx) => {
      if (removed.length > 0) await writePages(tx, project.id, [], removed)
      await tx
        .updateTable('projects')
        .set({
          framework: message.framework,
          fingerprint: message.fingerprint,
          synced_commit: commit,
          synced_at: sql<Date>`now()`,
          sync_state: 'ready',
          sync_error: null,
          sync_progress: json(null),
          page_count: sql<number>`(select count(*) from pages where project_id = ${project.id})`,
        })
        .where('id', '=', project.id)
        .execute()
    })
  })
}

function parseInWorker(
  task: ParseTask,
  stopping: AbortSignal,
  onMessage: (message: ParseMessage) => Promise<void>,
): Promise<void> {
  stopping.throwIfAborted()
  const worker = new Worker(new URL('parse-tree.worker.ts', import.meta.url), { workerData: task })
  const ended = new AbortController()
  return new Promise<void>((resolve, reject) => {
    stopping.addEventListener('abort', () => reject(stopping.reason), { signal: ended.signal })
    worker.on('message', (message: ParseMessage) => {
      onMessage(message).then(() => {
        if (message.kind === 'end') resolve()
        worker.postMessage('next')
      }, reject)
    })
    worker.on('error', reject)
    worker.on('exit', (code) => reject(new Error(`The parser stopped early (${code})`)))
  }).finally(() => {
    ended.abort()
    void worker.terminate()
  })
}

// Written at most once a second: progress is for people.
function createReporter(store: Store, projectId: string): Report {
  let last = 0
  let writing = false
  return (phase, done, total) => {
    if (writing || Date.now() - last < 1000) return
    last = Date.now()
    writing = true
    void store
      .transaction((tx) =>
        tx
          .updateTable('projects')
          .set({ sync_state: 'syncing', sync_progress: json({ phase, done, total }) })
          .where('id', '=', projectId)
          .where('sync_state', '!=', 'ready')
          .execute(),
      )
      .catch(() => undefined)
      .finally(() => {
        writing = false
      })
  }
}
