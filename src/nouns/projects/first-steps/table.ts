import { sql } from 'kysely'
import type { Reader, Tx } from '../../../store/database.ts'
import { accountHolder, type Caller } from '../../../features/projects/allow.ts'
import type { Project } from '../../../features/projects/projects.ts'

/** What somebody who is new here does first, and which of it is done. */
export interface FirstSteps {
  isHidden: boolean
  /** The demo project, for a first job. */
  demo: { domain: string } | undefined
  hasJob: boolean
  /** The latest pull request that nobody has merged or closed yet. */
  openPull: { domain: string; number: number } | undefined
  /** Whether one was merged or closed. */
  hasReviewed: boolean
  hasOwnProject: boolean
  hasModel: boolean
  /** The project to put the assistant of on a site: an own one, or else the demo. */
  newest: { domain: string } | undefined
  /** Whether a page of another site asked the assistant with a key. */
  hasAssistant: boolean
}

/** @param projects those that the person may know of */
export async function readFirstSteps(
  db: Reader,
  caller: Caller,
  projects: readonly Project[],
  { defaultModel }: { defaultModel: string },
): Promise<FirstSteps> {
  const ids = projects.map(({ id }) => id)
  const [isHidden, done] = await Promise.all([readHidden(db, caller), readDone(db, ids)])
  const { open } = done
  const demo = projects.find((project) => project.isDemo)
  const reviewed = projects.find(({ id }) => id === open?.project)
  return {
    isHidden,
    demo: demo && { domain: demo.domain },
    hasJob: done.hasJob,
    openPull: open && reviewed ? { domain: reviewed.domain, number: open.number } : undefined,
    hasReviewed: done.hasReviewed,
    hasOwnProject: projects.some((project) => !project.isDemo),
    hasModel:
      defaultModel !== 'builtin' ||
      projects.some(({ settings }) => settings.model !== undefined && settings.model !== 'builtin'),
    newest: projects.findLast((project) => !project.isDemo) ?? demo,
    hasAssistant: done.hasAssistant,
  }
}

/** Hides the list, or shows it again, for somebody alone. */
export async function hideFirstSteps(tx: Tx, caller: Caller, hidden: boolean): Promise<void> {
  const at = hidden ? sql`now()` : sql`null`
  const person = accountHolder(caller)
  // The operator has no account, and works in all organizations.
  await (
    person
      ? sql`update people set first_steps_hidden_at = ${at} where id = ${person.id}`
      : sql`update organizations set first_steps_hidden_at = ${at}`
  ).execute(tx)
}

async function readHidden(db: Reader, caller: Caller): Promise<boolean> {
  const person = accountHolder(caller)
  const { rows } = await sql<{ hidden: boolean | null }>`
    select bool_and(first_steps_hidden_at is not null) as hidden
    from ${person ? sql`people where id = ${person.id}` : sql`organizations`}
  `.execute(db)
  return rows[0]?.hidden === true
}

interface Done {
  hasJob: boolean
  hasReviewed: boolean
  hasAssistant: boolean
  /** The latest pull request that is open. */
  open: { project: string; number: number } | null
}

async function readDone(db: Reader, ids: readonly string[]): Promise<Done> {
  const own = sql`project_id = any (${ids}::text[])`
  const { rows } = await sql<Done>`
    select exists (select from jobs where ${own}) as "hasJob",
      exists (select from jobs where ${own} and pull_request->>'state' in ('merged', 'closed')) as "hasReviewed",
      exists (select from keys where ${own} and asked_on_site_at is not null) as "hasAssistant",
      (
        select jsonb_build_object('project', project_id, 'number', (pull_request->>'number')::int) from jobs
        where ${own} and pull_request->>'state' = 'open' order by id desc limit 1
      ) as open
  `.execute(db)
  return rows[0] ?? { hasJob: false, hasReviewed: false, hasAssistant: false, open: null }
}
