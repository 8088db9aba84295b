import { sql } from 'kysely'
import { json, type Reader, type Tx } from '../../../store/database.ts'
import type { SiteCheckColumn } from '../../../store/columns.ts'
import type { SiteProgress } from '../../../site/checks/whole/progress.ts'
import {
  siteProblemKinds,
  type SiteProblem,
  type SiteProblemKind,
} from '../../../site/checks/whole/site-problem.ts'

/** What the last check of a whole site found. */
export interface FoundProblems {
  pages: number
  checkedLinks: number
  counts: ReadonlyMap<SiteProblemKind, number>
  /** How many of them may be meant so. */
  doubtful: ReadonlyMap<SiteProblemKind, number>
  /** The first of them. */
  problems: SiteProblem[]
  notLookedAt: { kind: string; count: number }[]
  /** How many problems the repository says are none, and what is wrong with what it says. */
  ignored: { count: number; wrong: { line: number; message: string }[] }
  /** Of the pages and checks as they are now. */
  isCurrent: boolean
  at: Date
}

export interface StoredCheck {
  subject: string
  /** Undefined where no process works on it now. */
  progress: SiteProgress | undefined
  /** Why it did not come to its end, for the time in which it is not tried again by itself. */
  error: string | undefined
  found: FoundProblems | undefined
}

/** Seconds after which a process that says nothing of its check is taken for dead. */
const patience = 20
/** Seconds for which a check that failed is left alone. */
const rest = 900

export async function readCheck(
  db: Reader,
  projectId: string,
  subject: string,
): Promise<StoredCheck | undefined> {
  const row = await db
    .selectFrom('site_checks')
    .selectAll()
    .select([
      sql<boolean>`beat_at > now() - make_interval(secs => ${patience})`.as('is_alive'),
      sql<boolean>`beat_at > now() - make_interval(secs => ${rest})`.as('rests'),
    ])
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (!row) return undefined
  const { result, checked_at: at } = row
  return {
    subject: row.subject,
    progress: row.is_alive ? (row.progress ?? undefined) : undefined,
    error: row.rests ? (row.error ?? undefined) : undefined,
    found: result && at ? foundProblems(result, at, row.result_subject === subject) : undefined,
  }
}

/** How many problems some projects surely have, as they were last checked. */
export async function countProblems(db: Reader, projectIds: readonly string[]): Promise<Map<string, number>> {
  if (projectIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('site_checks')
    .select(['project_id', 'problems'])
    .where('project_id', 'in', projectIds)
    .execute()
  return new Map(rows.flatMap(({ project_id: id, problems }) => (problems === null ? [] : [[id, problems]])))
}

/** @returns false while another process works on the same */
export async function claimCheck(tx: Tx, projectId: string, subject: string): Promise<boolean> {
  const progress = JSON.stringify({ phase: 'Waiting', done: 0, total: 0 })
  const { rows } = await sql`
    insert into site_checks (project_id, subject, progress) values (${projectId}, ${subject}, ${progress}::jsonb)
    on conflict (project_id) do update
      set subject = excluded.subject, progress = excluded.progress, beat_at = now(), error = null
      where site_checks.subject <> excluded.subject or site_checks.progress is null
        or site_checks.beat_at <= now() - make_interval(secs => ${patience})
    returning 1
  `.execute(tx)
  return rows.length > 0
}

export async function noteProgress(
  tx: Tx,
  projectId: string,
  subject: string,
  progress: SiteProgress,
): Promise<void> {
  await tx
    .updateTable('site_checks')
    .set({ progress: json(progress), beat_at: sql<Date>`now()` })
    .where('project_id', '=', projectId)
    .where('subject', '=', subject)
    .where('progress', 'is not', null)
    .execute()
}

export async function endCheck(
  tx: Tx,
  projectId: string,
  subject: string,
  end: { result: SiteCheckColumn } | { error: string },
): Promise<void> {
  await tx
    .updateTable('site_checks')
    .set(
      'error' in end
        ? { progress: json(null), error: end.error, beat_at: sql<Date>`now()` }
        : {
            progress: json(null),
            error: null,
            result: json(end.result),
            problems: sum(end.result.counts) - sum(end.result.doubtful ?? {}),
            result_subject: subject,
            checked_at: sql<Date>`now()`,
          },
    )
    .where('project_id', '=', projectId)
    .where('subject', '=', subject)
    .execute()
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((all, count) => all + count, 0)
}

/** Of a result that an older version has stored: as far as its problems are kept. */
function warningsOf(problems: SiteCheckColumn['problems']): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { kind, isWarning } of problems) if (isWarning) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

function byKind(counts: Record<string, number>): Map<SiteProblemKind, number> {
  return new Map(
    siteProblemKinds.flatMap((kind) => {
      const count = counts[kind] ?? 0
      return count === 0 ? [] : [[kind, count] as const]
    }),
  )
}

function foundProblems(result: SiteCheckColumn, at: Date, isCurrent: boolean): FoundProblems {
  return {
    pages: result.pages,
    checkedLinks: result.checkedLinks,
    counts: byKind(result.counts),
    doubtful: byKind(result.doubtful ?? warningsOf(result.problems)),
    problems: result.problems.flatMap((problem) => {
      const kind = siteProblemKinds.find((one) => one === problem.kind)
      return kind === undefined ? [] : [{ ...problem, kind }]
    }),
    notLookedAt: result.notLookedAt,
    ignored: result.ignored ?? { count: 0, wrong: [] },
    isCurrent,
    at,
  }
}
