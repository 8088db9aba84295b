import { sql } from 'kysely'
import type { Reader, Tx } from '../../store/database.ts'
import type { Caller } from './allow.ts'
import type { Project } from './projects.ts'

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
  /** Whether something asked the assistant with a key, as a site does. */
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
  const [isHidden, { jobs, reviewed, open }, { used }] = await Promise.all([
    readHidden(db, caller, projects),
    readPulls(db, ids),
    readKeys(db, ids),
  ])
  const demo = projects.find((project) => project.isDemo)
  const named = open && projects.find(({ id }) => id === open.project)
  return {
    isHidden,
    demo: demo && { domain: demo.domain },
    hasJob: jobs > 0,
    openPull: open && named && { domain: named.domain, number: open.number },
    hasReviewed: reviewed > 0,
    hasOwnProject: projects.some((project) => !project.isDemo),
    hasModel:
      defaultModel !== 'builtin' ||
      projects.some(({ settings }) => settings.model !== undefined && settings.model !== 'builtin'),
    newest: projects.findLast((project) => !project.isDemo) ?? demo,
    hasAssistant: used > 0,
  }
}

/** Hides the list, or shows it again, in every organization of a person. */
export async function hideFirstSteps(
  tx: Tx,
  caller: Caller,
  projects: readonly Project[],
  hidden: boolean,
): Promise<void> {
  await sql`
    update organizations set first_steps_hidden_at = ${hidden ? sql`now()` : null}
    where id in (${organizationsOf(caller, projects)})
  `.execute(tx)
}

async function readHidden(db: Reader, caller: Caller, projects: readonly Project[]): Promise<boolean> {
  const { rows } = await sql<{ hidden: boolean | null }>`
    select bool_and(first_steps_hidden_at is not null) as hidden from organizations
    where id in (${organizationsOf(caller, projects)})
  `.execute(db)
  return rows[0]?.hidden === true
}

// The operator has no role of their own, and works in all of them.
function organizationsOf(caller: Caller, projects: readonly Project[]) {
  if (caller.kind === 'person' && !caller.person.isOperator) {
    const ids = [...caller.person.roles.keys()]
    return ids.length === 0 ? sql`null` : sql.join(ids)
  }
  const ids = [...new Set(projects.map(({ organizationId }) => organizationId))]
  return caller.kind === 'key' && ids.length > 0 ? sql.join(ids) : sql`select id from organizations`
}

interface Pulls {
  jobs: number
  reviewed: number
  open: { project: string; number: number } | undefined
}

async function readPulls(db: Reader, ids: readonly string[]): Promise<Pulls> {
  if (ids.length === 0) return { jobs: 0, reviewed: 0, open: undefined }
  const { rows } = await sql<{ jobs: number; reviewed: number }>`
    select count(*)::int8 as jobs,
      count(*) filter (where pull_request->>'state' in ('merged', 'closed'))::int8 as reviewed
    from jobs where project_id in (${sql.join(ids)})
  `.execute(db)
  const { rows: open } = await sql<{ project: string; number: number }>`
    select project_id as project, (pull_request->>'number')::int8 as number from jobs
    where project_id in (${sql.join(ids)}) and pull_request->>'state' = 'open' order by id desc limit 1
  `.execute(db)
  return { jobs: rows[0]?.jobs ?? 0, reviewed: rows[0]?.reviewed ?? 0, open: open[0] }
}

async function readKeys(db: Reader, ids: readonly string[]): Promise<{ used: number }> {
  if (ids.length === 0) return { used: 0 }
  const { rows } = await sql<{ used: number }>`
    select count(*)::int8 as used from keys
    where kind = 'assistant' and last_used_at is not null and project_id in (${sql.join(ids)})
  `.execute(db)
  return { used: rows[0]?.used ?? 0 }
}
