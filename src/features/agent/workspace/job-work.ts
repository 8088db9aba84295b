import { isAncestor, mergeBase } from '../../../integrations/git/trees/ancestry.ts'
import { diffTrees } from '../../../integrations/git/trees/diff-trees.ts'
import type { Repository } from '../../../integrations/git/git.ts'
import { mergeContents } from '../../../integrations/git/trees/merge-trees.ts'
import { writeTree } from '../../../integrations/git/trees/write-tree.ts'
import { resolveBranches, resolveReference } from '../../../integrations/git/resolve-reference.ts'
import { sql } from 'kysely'
import { AppError } from '../../../lib/errors.ts'
import { json, type Reader, type Store } from '../../../store/database.ts'
import type { ChangeColumn } from '../../../store/columns.ts'
import { appendEvents } from '../events.ts'
import { lockJob, readJob, updateJob, type Job, type JobRow } from '../jobs.ts'
import { keptTurn, lastTurn, workingTurn, type TurnRow } from '../turns.ts'
import { readOverlay } from './overlay.ts'
import { describeChanges } from './tree-difference.ts'
import { keepNewest } from '../../../lib/keep-newest.ts'

/**
 * `open` returns the project's mirror, fetched when one of the commits is missing. With `fresh` it is fetched in any
 * case, if its remote answers soon.
 */
export interface DiffedProject {
  id: string
  open(commits: readonly string[], options?: { fresh?: boolean }): Promise<Repository>
}

export function diffedProject<Project extends { id: string }>(
  project: Project,
  mirror: (project: Project, ...asked: Parameters<DiffedProject['open']>) => Promise<Repository>,
): DiffedProject {
  return { id: project.id, open: (...asked) => mirror(project, ...asked) }
}

/**
 * What the job amounts to as a unified diff against its base: what it has published, what people pushed to its
 * branch, and what a turn that runs or that ended early has changed. Undefined when there is no such job in this
 * project.
 * @throws AppError `not_found` when its commits are gone, because hosts delete those of deleted branches
 */
export async function jobDiff(
  store: Store,
  project: DiffedProject,
  jobId: string,
): Promise<string | undefined> {
  const change = await jobChange(store, project, jobId)
  if (change === undefined)
    return (await readJob(store.db, jobId))?.project_id === project.id ? '' : undefined
  return (await diffTrees(change.repository, change.from, change.to)).text
}

/** The two sides of a change: commits or trees of a repository. */
export interface Change {
  repository: Repository
  from: string
  to: string
  /** The commit of the branch, where there is one. */
  head: string | undefined
}

/**
 * The same as its two sides. Undefined when there is no such job in this project, or when it has not changed anything
 * yet.
 * @throws AppError `not_found` as `jobDiff` does
 */
export async function jobChange(
  store: Store,
  project: DiffedProject,
  jobId: string,
  { fresh = true }: { fresh?: boolean } = {},
): Promise<Change | undefined> {
  const job = await readJob(store.db, jobId)
  if (job?.project_id !== project.id) return undefined
  const work = await findWork(store.db, project, job, { fresh })
  if (work === undefined) return undefined
  await recordPushes(store, job, work)
  return { repository: work.repository, from: work.from, to: work.to, head: work.head ?? undefined }
}

/** The job with its kept changes among the others, marked as kept. */
export async function withKeptChanges(store: Store, project: DiffedProject, job: Job): Promise<Job> {
  if (job.kept === undefined) return job
  const row = await readJob(store.db, job.id)
  const turn = await keptTurn(store.db, job.id)
  if (row === undefined || turn === undefined) return job
  const key = `${turn.id} ${row.head_commit} ${row.pull_request?.state}`
  // A job is shown even where its repository is out of reach.
  const changes = described.get(key) ?? (await describeKept(store.db, project, row).catch(() => undefined))
  if (changes === undefined) return job
  keepNewest(described, mostDescribed, key, changes)
  return changes.some(({ kept }) => kept === true) ? { ...job, changes } : { ...job, kept: undefined }
}

// What a turn that has ended keeps does not change any more.
const described = new Map<string, ChangeColumn[]>()
const mostDescribed = 1000

async function describeKept(reader: Reader, project: DiffedProject, row: JobRow): Promise<ChangeColumn[]> {
  const work = await findWork(reader, project, row, { fresh: false })
  if (work?.kept === undefined) return row.changes
  const { repository, from, to, kept } = work
  const [all, own] = await Promise.all([
    describeChanges(repository, from, to),
    describeChanges(repository, kept.base, kept.tree),
  ])
  const paths = new Set(own.flatMap(({ path, oldPath }) => (oldPath === null ? path : [path, oldPath])))
  return all.map((change) => (paths.has(change.path) ? { ...change, kept: true } : change))
}

/** What the job started from, and what it has come to. */
interface Work extends Omit<Change, 'head'> {
  /** The commit of its branch. */
  head: string | null
  kept: { base: string; tree: string } | undefined
}

async function findWork(
  reader: Reader,
  project: DiffedProject,
  job: JobRow,
  { fresh }: { fresh: boolean },
): Promise<Work | undefined> {
  const turn = (await keptTurn(reader, job.id)) ?? (await workingTurn(reader, job.id))
  if (turn === undefined && job.head_commit === null) return undefined
  // After a merge the work goes on elsewhere, and while a turn runs the branch is its own.
  const isOver = job.pull_request !== null && job.pull_request.state !== 'open'
  const isWatched = !isOver && job.status !== 'active'
  const commits = [job.base_commit, job.head_commit, turn?.start_commit].filter(
    (one) => typeof one === 'string',
  )
  const repository = await project.open(commits, { fresh: fresh && isWatched })
  const pushed = isWatched ? await resolveReference(repository, `refs/heads/${job.branch}`) : undefined
  const head = await newer(repository, job.head_commit, pushed)
  if (turn === undefined) return head === null ? undefined : published(repository, job, head)
  const base = await keptBase(repository, turn)
  if (base === undefined) throw gone(job)
  const tree = await writeTree(repository, { base, changes: await readOverlay(reader, turn.id) })
  const kept = { base, tree }
  const own = {
    repository,
    from: isOver ? base : await startOf(repository, turn, base),
    to: tree,
    head,
    kept,
  }
  if (isOver || head === null || head === turn.branch_commit) return own
  const merged = await mergeContents(repository, { base, ours: head, theirs: tree })
  // Where both changed the same lines, the follow-up has to merge them.
  if (!merged.clean) return own
  return { ...(await published(repository, job, head)), to: merged.tree, kept }
}

// A mirror may be behind what another server has pushed.
async function newer(
  repository: Repository,
  recorded: string | null,
  seen: string | undefined,
): Promise<string | null> {
  if (seen === undefined || recorded === null) return seen ?? recorded
  return (await isAncestor(repository, seen, recorded)) ? recorded : seen
}

async function published(repository: Repository, job: JobRow, head: string): Promise<Work> {
  const since = await resolveReference(repository, head === job.head_commit ? head : `refs/heads/${job.base}`)
  const moved = head !== job.head_commit && since !== undefined
  const from = moved ? await mergeBase(repository, since, head) : (job.base_commit ?? undefined)
  if (since === undefined || from === undefined || !(await resolveReference(repository, from)))
    throw gone(job)
  return { repository, from, to: head, head, kept: undefined }
}

/** The tree that a turn's changed files stand on; that of its base where the turn's own start is gone. */
export async function keptBase(repository: Repository, turn: TurnRow): Promise<string | undefined> {
  for (const commit of [turn.start_commit, turn.base_commit]) {
    const tree = commit === null ? undefined : await resolveReference(repository, commit, 'tree')
    if (tree !== undefined) return tree
  }
  return undefined
}

// Where the branch that a turn worked on had left its base.
async function startOf(repository: Repository, turn: TurnRow, base: string): Promise<string> {
  const { start_commit: start, base_commit: since, parents } = turn
  if (start === null || since === null || !(await resolveReference(repository, start))) return base
  return (parents === null ? await mergeBase(repository, since, start) : since) ?? base
}

function gone(job: JobRow): AppError {
  const elsewhere =
    job.pull_request === null ? '' : `: its pull request may still show it (${job.pull_request.link})`
  return new AppError(
    'not_found',
    `The change is no longer in the repository, because its branch ${job.branch} was deleted or rewritten there${elsewhere}`,
  )
}

const mostWatched = 200

/** Notes on the newest jobs of a project what people pushed to their branches, in a mirror that was just fetched. */
export async function recordAllPushes(
  store: Store,
  projectId: string,
  repository: Repository,
): Promise<void> {
  const jobs = await store.db
    .selectFrom('jobs')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('status', 'in', ['completed', 'failed'])
    .where(sql<boolean>`pull_request->>'state' = 'open'`)
    .orderBy('id', 'desc')
    .limit(mostWatched)
    .execute()
  if (jobs.length === 0) return
  const heads = await resolveBranches(
    repository,
    jobs.map(({ branch }) => branch),
  )
  for (const [index, job] of jobs.entries()) {
    const seen = heads[index]
    if (seen === undefined || seen === job.head_commit) continue
    if (job.head_commit !== null && !(await resolveReference(repository, job.head_commit))) continue
    await recordPushes(store, job, { repository, head: await newer(repository, job.head_commit, seen) })
  }
}

/** Whether a push that a host reports brings commits to the branch of a job that it does not know. */
export async function isPushedByPeople(
  reader: Reader,
  projectId: string,
  branch: string,
  commit: string,
): Promise<boolean> {
  const row = await reader
    .selectFrom('jobs')
    .select('id')
    .where('project_id', '=', projectId)
    .where('branch', '=', branch)
    .where('status', 'in', ['completed', 'failed'])
    .where('head_commit', '<>', commit)
    .where(sql<boolean>`pull_request->>'state' = 'open'`)
    .executeTakeFirst()
  return row !== undefined
}

// Notes on the job what people pushed to its branch since.
async function recordPushes(
  store: Store,
  job: JobRow,
  { repository, head }: Pick<Work, 'repository' | 'head'>,
): Promise<void> {
  if (head === null || job.head_commit === null || head === job.head_commit) return
  const { from } = await published(repository, job, head)
  const changes = await describeChanges(repository, from, head)
  await store.transaction(async (tx) => {
    const now = await lockJob(tx, job.id)
    if (now?.head_commit !== job.head_commit || now.status === 'active') return
    await updateJob(tx, job.id, { head_commit: head, base_commit: from, changes: json(changes) })
    await appendEvents(tx, job.id, await lastTurn(tx, job.id), [
      {
        type: 'branch.moved',
        data: { branch: job.branch, head, message: `Someone pushed to ${job.branch}` },
      },
    ])
  })
}
