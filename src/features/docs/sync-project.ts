import { sql } from 'kysely'
import { AppError, messageOf } from '../../lib/errors.ts'
import { makeStorable } from '../../lib/text/plain-text.ts'
import { createTextThread, ThreadFailure, type TextThread } from '../../lib/threads/text-thread.ts'
import { machineTrouble } from '../../lib/machine-trouble.ts'
import { json, type Store } from '../../store/database.ts'
import { findStoreTrouble } from '../../store/store-trouble.ts'
import { fetchMirror } from '../../integrations/git/mirrors/fetch-mirror.ts'
import type { Repository } from '../../integrations/git/git.ts'
import type { Remote } from '../../integrations/git/remote.ts'
import { isRefusalOfGit, RemoteUnreachable } from '../../integrations/git/remotes/explain-remote-failure.ts'
import { resolveReference } from '../../integrations/git/resolve-reference.ts'
import { requireMachine, type Machine } from '../../integrations/machine/machine.ts'
import { isParsedAlike } from './fingerprint.ts'
import { writeNavigation } from './navigation.ts'
import { remoteDescriptions } from './remote-descriptions.ts'
import { knownPages, writePages, writeRows } from './pages.ts'
import type { ParseThread } from './parse-tree.worker.ts'
import { noteUnreadable, unreadableFiles, writeLeftOut } from './unreadable-files.ts'

/** What a sync needs to know of a project. */
export interface SyncedProject {
  id: string
  domain: string
  ref: string
  root: string
}

export interface SyncDependencies {
  store: Store
  /** The thread that parses, which does nothing else at the time. */
  parser: TextThread<ParseThread>
  machine: Pick<Machine, 'trouble' | 'look'>
  /** The project's mirror and where it is fetched from. */
  open(project: SyncedProject): Promise<{ repository: Repository; remote: Remote }>
  /** The branch to read after the project's branch was deleted; `followed`: the project now uses it. */
  followDefault(project: SyncedProject): Promise<{ branch: string; followed: boolean } | undefined>
  /**
   * Why git could not read the repository, by its host. After `renamed` the project has the new address. Undefined
   * where there is no host.
   */
  askHostWhy(
    project: SyncedProject,
  ): Promise<
    { type: 'renamed'; path: string } | { type: 'refused'; error: AppError } | { type: 'nothing' } | undefined
  >
  /** Connects to public addresses only; undefined where the operator does not allow to fetch API descriptions. */
  fetchPublic?: typeof fetch | undefined
  /** Aborted when this process is to end. The next sync continues from there. */
  stopping: AbortSignal
}

/** The project has the repository's new address meanwhile, where the sync goes on: nobody has to do anything. */
export class RepositoryRenamed extends AppError {
  readonly path: string

  constructor(path: string, options?: ErrorOptions) {
    super('unavailable', `The repository was renamed to ${path}. Docwright follows it.`, options)
    this.name = 'RepositoryRenamed'
    this.path = path
  }
}

/** Parses one commit after the other. */
export function createParser(): TextThread<ParseThread> {
  return createTextThread(new URL('parse-tree.worker.ts', import.meta.url), {
    deadline: 15_000,
    memory: 1024,
  })
}

/**
 * Updates the stored pages to the head of the project's branch: fetches, parses changed pages and writes them in
 * batches. It can be repeated: pages that an interrupted sync wrote are kept. A failure is recorded on the project.
 * @throws the failure; `RepositoryRenamed`, a database that is away and the reason of `stopping` are not recorded
 */
export async function syncProject(dependencies: SyncDependencies, project: SyncedProject): Promise<void> {
  const { store, stopping } = dependencies
  const report = createReporter(store, project.id)
  try {
    requireMachine(dependencies.machine)
    const { repository, remote } = await dependencies.open(project)
    await fetchMirror(repository, remote, {
      head: project.ref,
      signal: stopping,
      onProgress: ({ phase, done, total, bytes }) => report(phase, done, total ?? null, bytes),
    })
    const commit = await headOf(dependencies, project, repository)
    await indexCommit(dependencies, project, repository, commit, report)
  } catch (caught) {
    stopping.throwIfAborted()
    if (findStoreTrouble(caught)) throw caught
    const why = isRefusalOfGit(caught) ? await dependencies.askHostWhy(project) : undefined
    if (why?.type === 'renamed') throw new RepositoryRenamed(why.path, { cause: caught })
    const error = why?.type === 'refused' ? why.error : caught
    const reason = await explain(dependencies, error)
    const patience = needsPerson(error) ? untilNextLook : 0
    await store.transaction((tx) =>
      tx
        .updateTable('projects')
        .set({
          sync_state: 'failed',
          sync_error: makeStorable(reason).slice(0, 2000),
          sync_progress: json(null),
          // The first failure may be of a host in trouble, which says the same then.
          sync_due_at: sql<Date>`case when sync_error is null then sync_due_at
            else greatest(sync_due_at, now() + make_interval(secs => ${patience})) end`,
        })
        .where('id', '=', project.id)
        .execute(),
    )
    throw error
  }
}

// When the machine is in trouble, that is the cause to report.
async function explain({ machine }: SyncDependencies, error: unknown): Promise<string> {
  const trouble = (await machine.look(error)) ?? machineTrouble(error)
  return trouble ? `${trouble.message}; the sync is tried again automatically` : messageOf(error)
}

/** Seconds until a repository is looked at again that only a person can make readable. */
const untilNextLook = 3600

function needsPerson(error: unknown): boolean {
  if (error instanceof RemoteUnreachable) return !error.passing
  return error instanceof AppError && forPersons.has(error.code)
}

const forPersons: ReadonlySet<string> = new Set([
  'invalid',
  'unauthorized',
  'forbidden',
  'not_found',
  'too_large',
])

async function headOf(
  dependencies: SyncDependencies,
  project: SyncedProject,
  repository: Repository,
): Promise<string> {
  const { ref } = project
  const commit = await resolveReference(repository, `refs/heads/${ref}`)
  if (commit !== undefined) return commit
  const now = await dependencies.followDefault(project)
  const followed = now?.followed && (await resolveReference(repository, `refs/heads/${now.branch}`))
  if (followed) return followed
  const other =
    now === undefined
      ? 'let the project read another one'
      : `its default branch is "${now.branch}" now, so let the project read that, or the branch HEAD to follow the default branch from now on`
  throw new AppError('not_found', `The repository no longer has the branch "${ref}". Restore it, or ${other}`)
}

/** Pages that are removed at once. */
const removedAtOnce = 200
/** Milliseconds that a parser may work on a commit, however many pages it has. */
const parseDeadline = 1_800_000
const mostUnreadable = 50

type Report = (phase: string, done: number, total: number | null, bytes?: number) => void

/** Indexes a commit, without the files that are too much for the parser. */
async function indexCommit(
  dependencies: SyncDependencies,
  project: SyncedProject,
  repository: Repository,
  commit: string,
  report: Report,
): Promise<void> {
  for (let count = 0; ; count++) {
    try {
      await parseCommit(dependencies, project, repository, commit, report)
      return
    } catch (error) {
      if (!(error instanceof ThreadFailure)) throw error
      const [, oid, path] = /^([0-9a-f]+) (.*)$/s.exec(error.text ?? '') ?? []
      if (oid === undefined || path === undefined || count >= mostUnreadable)
        throw new Error(
          path === undefined
            ? 'The repository takes too long to read'
            : `More than ${mostUnreadable} files cannot be read in time, the last of them ${path}; the next sync continues`,
          { cause: error },
        )
      await dependencies.store.transaction((tx) => noteUnreadable(tx, project.id, { path, oid }, error))
    }
  }
}

/** Notes that the stored pages are those of the branch as it is now. */
export async function noteUnchanged(store: Store, projectId: string): Promise<void> {
  await store.transaction((tx) =>
    tx
      .updateTable('projects')
      .set({ synced_at: sql<Date>`now()` })
      .where('id', '=', projectId)
      .execute(),
  )
}

async function parseCommit(
  { store, stopping, parser, fetchPublic }: SyncDependencies,
  project: SyncedProject,
  repository: Repository,
  commit: string,
  report: Report,
): Promise<void> {
  const before = await store.db
    .selectFrom('projects')
    .select(['synced_commit', 'fingerprint', 'sync_state', 'assistant_file'])
    .where('id', '=', project.id)
    .executeTakeFirst()
  if (!before) return
  const remote = remoteDescriptions(store, project.id, { fetch: fetchPublic, stopping })
  const isIndexed =
    !(await remote.refresh()) &&
    before.sync_state === 'ready' &&
    before.synced_commit === commit &&
    before.assistant_file !== null &&
    isParsedAlike(before.fingerprint, project)
  if (isIndexed) return noteUnchanged(store, project.id)
  let marked = false
  // The index is only updated at the end of a change with several batches.
  const markSyncing = async (): Promise<void> => {
    if (marked) return
    marked = true
    await store.transaction((tx) =>
      tx.updateTable('projects').set({ sync_state: 'syncing' }).where('id', '=', project.id).execute(),
    )
  }
  const task: ParseThread['task'] = {
    repository,
    commit,
    root: project.root,
    fingerprint: before.fingerprint ?? undefined,
    unreadable: await unreadableFiles(store.db, project.id),
    remote: await remote.oids(),
  }
  const end = await parser.run(task, {
    signal: stopping,
    total: parseDeadline,
    answer: async (request) => {
      if (request.kind === 'known') return knownPages(store.db, project.id, request.after)
      if (request.kind === 'remote') return remote.get(request.address)
      const { rows, done, total } = request
      // The thread may go on for a moment while this process ends.
      stopping.throwIfAborted()
      if (done < total) await markSyncing()
      report('Indexing pages', done, total)
      await store.transaction((tx) => writeRows(tx, project.id, rows, []))
      return undefined
    },
  })
  await remote.keep(end.remote)
  let { removed } = end
  for (; removed.length > removedAtOnce; removed = removed.slice(removedAtOnce)) {
    await markSyncing()
    const some = removed.slice(0, removedAtOnce)
    await store.transaction((tx) => writePages(tx, project.id, [], some))
  }
  await store.transaction(async (tx) => {
    if (removed.length > 0) await writePages(tx, project.id, [], removed)
    await writeLeftOut(tx, project.id, { kept: end.unreadable, found: end.leftOut })
    const isReordered = await writeNavigation(tx, project.id, end.navigation)
    await tx
      .updateTable('projects')
      .set({
        // An index ranks by the order of pages too.
        ...(isReordered && { generation: sql<number>`generation + 1` }),
        framework: end.framework,
        language: end.language ?? null,
        fingerprint: end.fingerprint,
        page_folders: json(end.pageFolders),
        assistant_file: json({ ...end.assistantFile, commit }),
        synced_commit: commit,
        synced_at: sql<Date>`now()`,
        sync_state: 'ready',
        sync_error: null,
        sync_due_at: sql<Date>`case when sync_error is null then sync_due_at else now() end`,
        sync_progress: json(null),
        page_count: sql<number>`(select count(*) from pages where project_id = ${project.id})`,
      })
      .where('id', '=', project.id)
      .execute()
  })
}

// Progress is for people, so it is written at most once a second.
function createReporter(store: Store, projectId: string): Report {
  let last = 0
  let writing = false
  return (phase, done, total, bytes) => {
    if (writing || Date.now() - last < 1000) return
    last = Date.now()
    writing = true
    void store
      .transaction((tx) =>
        tx
          .updateTable('projects')
          .set({ sync_state: 'syncing', sync_progress: json({ phase, done, total, bytes }) })
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
