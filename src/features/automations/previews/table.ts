import { sql } from 'kysely'
import { randomText } from '../../../lib/ids.ts'
import type { PullRequestColumn } from '../../../store/columns.ts'
import type { Store, Tx } from '../../../store/database.ts'

/** What is to be said on a pull request of code. */
export interface Preview {
  repository: string | undefined
  number: number
  /** The commit that it is about. */
  head: string
  /** A line without markup. */
  summary: string
  /** Markdown that begins with what there is to do. */
  body: string
  /** Only a comment that is there already is changed. */
  isQuiet: boolean
}

/** Notes what a run has to say, unless a later one has said something. */
export async function savePreview(
  tx: Tx,
  { projectId, runId }: { projectId: string; runId: string },
  { repository = '', number, head, summary, body, isQuiet }: Preview,
): Promise<void> {
  await sql`
    insert into automation_previews (project_id, repository, number, token, run_id, head, summary, body, is_quiet, due_at)
    values (${projectId}, ${repository}, ${number}, ${randomText(16)}, ${runId}, ${head}, ${summary}, ${body}, ${isQuiet}, now())
    on conflict (project_id, repository, number) do update
      set run_id = excluded.run_id, head = excluded.head, summary = excluded.summary, body = excluded.body,
        is_quiet = excluded.is_quiet, due_at = now(), attempts = 0, changed_at = now()
      where automation_previews.run_id <= excluded.run_id
  `.execute(tx)
}

/** How a pull request of code ended. */
export type CodeState = 'merged' | 'closed'

/** A preview that the host does not know yet. */
export interface DuePreview extends Preview {
  projectId: string
  token: string
  told: string | undefined
  attempts: number
  /** How the pull request of the code ended, and which end its documentation has followed. */
  codeState: CodeState | undefined
  followed: CodeState | undefined
  /** The job that documents it. */
  job: { id: string; isActive: boolean; pullRequest: PullRequestColumn | undefined } | undefined
}

/** Seconds until another process tells what this one has taken. */
const secondsOfClaim = 300

/** Takes previews that are due, with the job that documents their change. */
export async function takeDuePreviews(store: Store, limit: number): Promise<DuePreview[]> {
  return store.transaction(async (tx) => {
    const { rows } = await sql<{
      project_id: string
      repository: string
      number: number
      token: string
      head: string
      summary: string
      body: string
      is_quiet: boolean
      told: string | null
      attempts: number
      code_state: CodeState | null
      followed: CodeState | null
      job_id: string | null
      status: string | null
      pull_request: PullRequestColumn | null
    }>`
      with due as (
        select p.project_id, p.repository, p.number, j.id as job_id, j.status, j.pull_request
        from automation_previews p left join lateral (
          select jobs.id, jobs.status, jobs.pull_request from automation_runs r join jobs on jobs.id = r.job_id
          where r.project_id = p.project_id and r.cause->>'kind' = 'pull' and (r.cause->>'number')::int = p.number
            and coalesce(r.cause->>'repository', '') = p.repository
          order by r.id desc limit 1
        ) j on true
        where p.due_at <= now() order by p.due_at limit ${limit} for update of p skip locked
      )
      update automation_previews p
      set due_at = now() + make_interval(secs => ${secondsOfClaim}), attempts = attempts + 1
      from due where p.project_id = due.project_id and p.repository = due.repository and p.number = due.number
      returning p.*, due.job_id, due.status, due.pull_request
    `.execute(tx)
    return rows.map((row) => ({
      projectId: row.project_id,
      repository: row.repository === '' ? undefined : row.repository,
      number: row.number,
      token: row.token,
      head: row.head,
      summary: row.summary,
      body: row.body,
      isQuiet: row.is_quiet,
      told: row.told ?? undefined,
      attempts: row.attempts,
      codeState: row.code_state ?? undefined,
      followed: row.followed ?? undefined,
      job:
        row.job_id === null
          ? undefined
          : { id: row.job_id, isActive: row.status === 'active', pullRequest: row.pull_request ?? undefined },
    }))
  })
}

/** @param told undefined where the host was told nothing; `again` seconds later it is tried again */
export async function settlePreview(
  store: Store,
  { projectId, repository = '', number, head, body }: DuePreview,
  { told, again }: { told: string | undefined; again: number | undefined },
): Promise<void> {
  await store.transaction((tx) =>
    tx
      .updateTable('automation_previews')
      .set({
        ...(told !== undefined && { told, attempts: 0 }),
        due_at: again === undefined ? null : sql<Date>`now() + make_interval(secs => ${again})`,
      })
      .where('project_id', '=', projectId)
      .where('repository', '=', repository)
      .where('number', '=', number)
      // A later run has something else to say.
      .where('head', '=', head)
      .where('body', '=', body)
      .execute(),
  )
}

const daysKept = 180

export async function deleteOldPreviews(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('automation_previews')
    .where('changed_at', '<', sql<Date>`now() - make_interval(days => ${daysKept})`)
    .execute()
}
