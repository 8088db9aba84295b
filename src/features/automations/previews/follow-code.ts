import { sql } from 'kysely'
import { json, type Reader, type Store, type Tx } from '../../../store/database.ts'
import type { CodeState, DuePreview } from './table.ts'

/**
 * Does with the pull request of a job what was done with that of its code. Can be repeated.
 * @returns what was done, as a sentence; undefined while the job works
 * @throws AppError while its host is away
 */
export type FollowCode = (job: {
  projectId: string
  jobId: string
  state: CodeState
}) => Promise<string | undefined>

/** Lets the pull request of the documentation follow that of the code: it is closed with it, and ready once it is merged. */
export async function followCode(
  store: Store,
  { projectId, repository = '', number, job, codeState, followed }: DuePreview,
  follow: FollowCode,
): Promise<void> {
  if (job === undefined || codeState === undefined || codeState === followed) return
  const { id: jobId } = job
  const done = await follow({ projectId, jobId, state: codeState })
  if (done === undefined) return
  await store.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('automation_previews')
      .set({ followed: codeState })
      .where('project_id', '=', projectId)
      .where('repository', '=', repository)
      .where('number', '=', number)
      .where('code_state', '=', codeState)
      .where('followed', 'is distinct from', codeState)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return
    const last = tx
      .selectFrom('automation_runs')
      .select((select) => select.fn.max('id').as('id'))
      .where('job_id', '=', jobId)
    await tx
      .updateTable('automation_runs')
      .set({ reasons: sql`reasons || ${json([done])}` })
      .where('id', '=', last)
      .execute()
    // Nobody has refused what it raised.
    if (codeState === 'closed')
      await tx
        .updateTable('automation_runs')
        .set({ findings: json([]) })
        .where('job_id', '=', jobId)
        .execute()
  })
}

export type StateOfRequest = (number: number) => Promise<'open' | CodeState | undefined>

const mostAsked = 10

/**
 * Notes which pull requests with documentation of their own have ended, or were opened again.
 * @param open the numbers of those that the host lists; there may be more
 */
export async function noteCodeStates(
  store: Store,
  { projectId, repository }: { projectId: string; repository: string },
  open: ReadonlySet<number>,
  stateOf: StateOfRequest,
): Promise<void> {
  const rows = await listFollowing(store.db, projectId, repository)
  const unlisted = rows.filter(({ number, state }) => state === null && !open.has(number)).slice(0, mostAsked)
  for (const { number } of unlisted) {
    const state = await stateOf(number)
    if (state === 'merged' || state === 'closed') await setState(store, projectId, repository, number, state)
  }
  for (const { number, state } of rows)
    if (state === 'closed' && open.has(number)) await setState(store, projectId, repository, number, null)
}

/** Those whose job has an open pull request, or is still to make it, and those that were closed: they may be opened again. */
async function listFollowing(
  reader: Reader,
  projectId: string,
  repository: string,
): Promise<{ number: number; state: CodeState | null }[]> {
  const { rows } = await sql<{ number: number; state: CodeState | null }>`
    select p.number, p.code_state as state from automation_previews p
    where p.project_id = ${projectId} and p.repository = ${repository} and (p.code_state = 'closed' or exists (
      select from automation_runs r join jobs j on j.id = r.job_id
      where r.project_id = p.project_id and r.cause->>'kind' = 'pull' and (r.cause->>'number')::int = p.number
        and coalesce(r.cause->>'repository', '') = p.repository
        and (j.status = 'active' or j.pull_request->>'state' = 'open')
    ))
    order by p.changed_at, p.number
  `.execute(reader)
  return rows
}

async function setState(
  store: Store,
  projectId: string,
  repository: string,
  number: number,
  state: CodeState | null,
): Promise<void> {
  await store.transaction((tx: Tx) =>
    tx
      .updateTable('automation_previews')
      .set({
        code_state: state,
        attempts: 0,
        changed_at: sql<Date>`now()`,
        due_at: sql<Date>`now()`,
        ...(state === null && { followed: null }),
      })
      .where('project_id', '=', projectId)
      .where('repository', '=', repository)
      .where('number', '=', number)
      .execute(),
  )
}
