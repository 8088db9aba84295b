import { sql } from 'kysely'
import { fetchMirror } from '../../integrations/git/fetch-mirror.ts'
import { resolveReference } from '../../integrations/git/resolve-reference.ts'
import type { ChangeRequest } from '../../integrations/forges/forge.ts'
import { json } from '../../store/database.ts'
import { nextBranchName } from './branch-name.ts'
import { requireOpenTurn } from './end-turn.ts'
import { appendEvents } from './events.ts'
import type { NewEvent } from './events.ts'
import { lockJob, updateJob } from './jobs.ts'
import type { StartedTurn, TurnRun } from './turn-run.ts'
import { TurnFailure, TurnLost } from './turn-failure.ts'
import { readTurn, updateTurn } from './turns.ts'
import type { TurnRow } from './turns.ts'

/** Fetches the repository and pins what the turn starts from, or reads what was pinned before. */
export async function startTurn(run: TurnRun, turn: TurnRow): Promise<StartedTurn> {
  const pinned = readPins(turn)
  if (pinned) return pinned
  const { project, job, signal } = run
  const before = performance.now()
  await fetchMirror(project.repository, project.remote, { signal })
  const fetched = Math.round(performance.now() - before)
  const { branch, request } = await chooseBranch(run)
  const [baseCommit, branchCommit] = await Promise.all(
    [job.base, branch].map((name) => resolveReference(project.repository, `refs/heads/${name}`)),
  )
  if (baseCommit === undefined) {
    throw new TurnFailure(
      'base_not_found',
      `The repository has no branch ${JSON.stringify(job.base)}: create a job with a "base" that exists`,
    )
  }
  await run.ports.store.transaction(async (tx) => {
    const before = await lockJob(tx, job.id)
    const row = await requireOpenTurn(tx, turn.id)
    if (!before || row.start_commit !== null) return
    await updateTurn(tx, turn.id, {
      status: 'running',
      start_commit: branchCommit ?? baseCommit,
      base_commit: baseCommit,
      branch,
      branch_commit: branchCommit ?? null,
      started_at: sql<Date>`now()`,
    })
    const found = request && noticed(before.pull_request, request)
    await appendEvents(tx, job.id, turn.n, [
      ...(found ? [found] : []),
      { type: 'turn.started', data: { base: job.base, baseCommit, branch, fetchMilliseconds: fetched } },
    ])
    const { link, number, state } = request ?? {}
    await updateJob(tx, job.id, { branch, ...(request && { pull_request: json({ link, number, state }) }) })
  })
  const row = await readTurn(run.ports.store.db, turn.id)
  const started = row && readPins(row)
  if (!started) throw new TurnLost()
  return started
}

// A pull request that a person has merged or closed is done with: the work goes on from the fresh base, on a new branch.
async function chooseBranch(run: TurnRun): Promise<{ branch: string; request: ChangeRequest | undefined }> {
  let branch = run.job.branch
  let request = await run.forge.findByHead(branch)
  let newest = request
  while (request !== undefined && request.state !== 'open') {
    branch = nextBranchName(run.job.id, branch)
    request = await run.forge.findByHead(branch)
    newest = request ?? newest
  }
  return { branch, request: newest }
}

// The forge knows of something that this job has not recorded.
function noticed(before: { number: number; state: string } | null, now: ChangeRequest): NewEvent | undefined {
  if (before?.number === now.number && before.state === now.state) return undefined
  const kind = now.state === 'open' ? 'opened' : now.state
  return { type: `pull_request.${kind}`, data: { number: now.number, link: now.link } }
}

function readPins(row: TurnRow): StartedTurn | undefined {
  if (row.start_commit === null || row.base_commit === null) return undefined
  if (row.branch === null || row.started_at === null) return undefined
  return {
    row,
    startCommit: row.start_commit,
    baseCommit: row.base_commit,
    branch: row.branch,
    branchCommit: row.branch_commit ?? undefined,
    startedAt: row.started_at,
  }
}
