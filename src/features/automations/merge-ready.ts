import { sql } from 'kysely'
import { AppError, messageOf } from '../../lib/errors.ts'
import { json, type Store } from '../../store/database.ts'

/** A pull request that its rule may merge, if nothing speaks against it. */
export interface MergeCandidate {
  runId: string
  projectId: string
  jobId: string
  /** The commit that was published last. */
  headCommit: string
  /** The rule, as the author of the merge. */
  by: string
}

/**
 * Merges what is ready.
 * @returns what speaks against it; nothing once it is merged
 * @throws AppError `unavailable` while that cannot be told
 */
export type MergeIfReady = (candidate: MergeCandidate) => Promise<readonly string[]>

const mostAtOnce = 10

/**
 * Merges pull requests of rules that say so. Each commit is decided on once, by one process. What people asked for or pushed is left to them, and so
 * is what documents a change that is not merged itself.
 */
export async function mergeReady(
  store: Store,
  merge: MergeIfReady,
  tell: (projectId: string, work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  for (const candidate of await listCandidates(store))
    await tell(candidate.projectId, async () => {
      if (await takeCandidate(store, candidate)) await mergeOne(store, merge, candidate)
    })
}

async function mergeOne(store: Store, merge: MergeIfReady, candidate: MergeCandidate): Promise<void> {
  try {
    const against = await merge(candidate)
    await noteReason(
      store,
      candidate,
      against.length === 0 ? 'Merged by the rule.' : `Not merged by the rule: ${against.join(' ')}`,
    )
  } catch (error) {
    if (error instanceof AppError && error.code !== 'unavailable' && error.code !== 'internal') {
      await noteReason(store, candidate, `Not merged by the rule: ${messageOf(error)}.`)
      return
    }
    await setTried(store, candidate, null)
    throw error
  }
}

async function listCandidates(store: Store): Promise<MergeCandidate[]> {
  const { rows } = await sql<{ id: string; project_id: string; job_id: string; head: string; name: string }>`
    select r.id, r.project_id, r.job_id, j.head_commit as head, a.name
    from automations a join automation_runs r on r.automation_id = a.id join jobs j on j.id = r.job_id
      join turns t on t.job_id = j.id and t.n = r.turn
    where a.rule->>'automerge' = 'true' and a.is_on and a.removed_at is null
      and (r.cause->>'kind' <> 'pull' or exists (
        select from automation_previews p where p.project_id = r.project_id and p.followed = 'merged'
          and p.repository = coalesce(r.cause->>'repository', '') and p.number = (r.cause->>'number')::int
      ))
      and j.status = 'completed' and j.pull_request->>'state' = 'open'
      and t.status = 'completed' and t.outcome = 'changed' and t.publication->>'commit' = j.head_commit
      and r.merge_tried is distinct from j.head_commit
      and not exists (
        select from turns other where other.job_id = j.id
          and (other.n > t.n or other.asked_by->>'kind' is distinct from 'automation')
      )
    order by r.id limit ${mostAtOnce}
  `.execute(store.db)
  return rows.map(({ id, project_id: projectId, job_id: jobId, head, name }) => ({
    runId: id,
    projectId,
    jobId,
    headCommit: head,
    by: name,
  }))
}

async function takeCandidate(store: Store, { runId, headCommit }: MergeCandidate): Promise<boolean> {
  return store.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('automation_runs')
      .set({ merge_tried: headCommit })
      .where('id', '=', runId)
      .where('merge_tried', 'is distinct from', headCommit)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  })
}

async function setTried(store: Store, { runId }: MergeCandidate, tried: string | null): Promise<void> {
  await store.transaction((tx) =>
    tx.updateTable('automation_runs').set({ merge_tried: tried }).where('id', '=', runId).execute(),
  )
}

async function noteReason(store: Store, { runId }: MergeCandidate, reason: string): Promise<void> {
  await store.transaction((tx) =>
    tx
      .updateTable('automation_runs')
      .set({ reasons: sql`reasons || ${json([reason.toWellFormed().slice(0, 500)])}` })
      .where('id', '=', runId)
      .execute(),
  )
}
