import { sql } from 'kysely'
import { json, type Reader, type Store, type Tx } from '../../../store/database.ts'
import { activeAutomations } from '../automations.ts'
import { insertRun } from '../runs.ts'
import type { OwnWork } from './describe-moves.ts'
import { eventsOfRules, mayConcern, movesBetween } from './events-of-rules.ts'
import { watchedNames, type RuleProject, type WatchedRepository } from './repositories.ts'

interface LookPorts {
  store: Store
  /** The addresses by which this server commits. */
  ownEmails: readonly string[]
  now(): Date
}

/**
 * Looks at a repository and gives each rule its runs of what happened there since the last look. What is seen first starts nothing. Of
 * several processes that see the same, one writes it down.
 */
export async function lookAtRepository(
  { store, ownEmails, now }: LookPorts,
  project: RuleProject,
  watched: WatchedRepository,
  signal: AbortSignal,
): Promise<void> {
  const { name, location } = watched
  const before = await readWatch(store.db, project.id, name)
  const prefix = `refs/heads/${project.settings.branchPrefix ?? 'docwright/'}`
  const references = new Map([...(await watched.list(signal))].filter(([one]) => !one.startsWith(prefix)))
  // A repository that shows nothing is one in trouble, or not here yet.
  if (references.size === 0) return
  if (before?.location !== location)
    return store.transaction((tx) => beginWatch(tx, project.id, { name, location, references }))
  const moves = movesBetween(before.refs, references)
  const place = { project, watched }
  const automations = (await activeAutomations(store.db, project.id)).filter(
    ({ rule }) => rule && mayConcern(place, rule, moves),
  )
  const isSame =
    moves.branches.length + moves.tags.length === 0 && references.size === Object.keys(before.refs).length
  if (isSame) return
  const events =
    automations.length === 0
      ? []
      : await eventsOfRules(
          {
            ...place,
            repository: await watched.open(signal),
            own: await ownWork(store.db, project, { isOwn: name === '', emails: ownEmails }),
          },
          automations,
          moves,
          now(),
        )
  await store.transaction(async (tx) => {
    if (!(await moveWatch(tx, project.id, { name, before: before.refs, references }))) return
    for (const { automation, events: its } of events)
      for (const event of its) await insertRun(tx, automation, event)
  })
}

/** The repositories that are due to be looked at, which then are not for some time. */
export async function takeDueWatches(
  tx: Tx,
  { seconds, limit }: { seconds: number; limit: number },
): Promise<{ projectId: string; name: string }[]> {
  const { rows } = await sql<{ project_id: string; repository: string }>`
    update automation_watches set due_at = now() + make_interval(secs => ${seconds})
    where (project_id, repository) in (
      select project_id, repository from automation_watches where due_at <= now() and repository <> ''
      order by due_at limit ${limit} for update skip locked
    )
    returning project_id, repository
  `.execute(tx)
  return rows.map(({ project_id: projectId, repository }) => ({ projectId, name: repository }))
}

/** A host says that something happened there. */
export async function makeWatchDue(tx: Tx, projectId: string, name: string): Promise<void> {
  await tx
    .updateTable('automation_watches')
    .set({ due_at: sql<Date>`now()` })
    .where('project_id', '=', projectId)
    .where('repository', '=', name)
    .execute()
}

/** Begins and ends to watch, as the rules of a project ask for it. */
export async function alignWatches(store: Store, project: RuleProject): Promise<void> {
  const rules = (await activeAutomations(store.db, project.id)).flatMap(({ rule }) => rule ?? [])
  const wanted = watchedNames(project, rules)
  const rows = await store.db
    .selectFrom('automation_watches')
    .select('repository')
    .where('project_id', '=', project.id)
    .execute()
  const present = new Set(rows.map(({ repository }) => repository))
  const missing = [...wanted].filter((name) => !present.has(name))
  const extra = [...present].filter((name) => !wanted.has(name))
  if (missing.length + extra.length === 0) return
  await store.transaction(async (tx) => {
    for (const name of missing)
      await tx
        .insertInto('automation_watches')
        .values({ project_id: project.id, repository: name, location: '', refs: json({}) })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    if (extra.length > 0)
      await tx
        .deleteFrom('automation_watches')
        .where('project_id', '=', project.id)
        .where('repository', 'in', extra)
        .execute()
  })
}

export async function isWatched(reader: Reader, projectId: string, name: string): Promise<boolean> {
  return (await readWatch(reader, projectId, name)) !== undefined
}

async function readWatch(reader: Reader, projectId: string, name: string) {
  return reader
    .selectFrom('automation_watches')
    .select(['location', 'refs'])
    .where('project_id', '=', projectId)
    .where('repository', '=', name)
    .executeTakeFirst()
}

async function beginWatch(
  tx: Tx,
  projectId: string,
  { name, location, references }: { name: string; location: string; references: ReadonlyMap<string, string> },
): Promise<void> {
  await tx
    .updateTable('automation_watches')
    .set({ location, refs: json(Object.fromEntries(references)) })
    .where('project_id', '=', projectId)
    .where('repository', '=', name)
    .where('location', '<>', location)
    .execute()
}

/** @returns false where another process has written what happened since `before` */
async function moveWatch(
  tx: Tx,
  projectId: string,
  {
    name,
    before,
    references,
  }: { name: string; before: Readonly<Record<string, string>>; references: ReadonlyMap<string, string> },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('automation_watches')
    .set({ refs: json(Object.fromEntries(references)) })
    .where('project_id', '=', projectId)
    .where('repository', '=', name)
    .where(sql<boolean>`refs = ${json(before)}`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

const mostHeads = 200

/** Jobs only work in the project's own repository. */
async function ownWork(
  reader: Reader,
  project: RuleProject,
  { isOwn, emails }: { isOwn: boolean; emails: readonly string[] },
): Promise<OwnWork> {
  const addresses = new Set(emails.map((one) => one.toLowerCase()))
  if (!isOwn) return { emails: addresses, heads: [], numbers: new Set() }
  const jobs = await reader
    .selectFrom('jobs')
    .select(['head_commit', 'pull_request'])
    .where('project_id', '=', project.id)
    .where('head_commit', 'is not', null)
    .orderBy('project_id', 'desc')
    .orderBy('id', 'desc')
    .limit(mostHeads)
    .execute()
  return {
    emails: addresses,
    heads: jobs.flatMap(({ head_commit: head }) => head ?? []),
    numbers: new Set(jobs.flatMap(({ pull_request: request }) => request?.number ?? [])),
  }
}
