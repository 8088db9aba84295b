import { sql, type Selectable, type UpdateObject } from 'kysely'
import { randomText } from '../../../lib/ids.ts'
import type { Reader, Tx } from '../../../store/database.ts'
import type { Tables } from '../../../store/tables.ts'

export type PullRequestRow = Selectable<Tables['pull_requests']>

/** Locks a project's pull requests, so that numbers and states change one at a time. */
export async function lockPullRequests(tx: Tx, projectId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`pull_requests ${projectId}`}, 0))`.execute(tx)
}

export async function readPullRequest(
  reader: Reader,
  projectId: string,
  number: number,
): Promise<PullRequestRow | undefined> {
  return reader
    .selectFrom('pull_requests')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('number', '=', number)
    .executeTakeFirst()
}

export async function newestByHead(
  reader: Reader,
  projectId: string,
  head: string,
): Promise<PullRequestRow | undefined> {
  return reader
    .selectFrom('pull_requests')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('head', '=', head)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Newest first. */
export async function readPullRequests(
  reader: Reader,
  projectId: string,
  options: { state?: PullRequestRow['state'] | undefined; limit: number },
): Promise<PullRequestRow[]> {
  let query = reader
    .selectFrom('pull_requests')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('number', 'desc')
    .limit(options.limit)
  if (options.state !== undefined) query = query.where('state', '=', options.state)
  return query.execute()
}

/** Call it with the project's pull requests locked. */
export async function insertPullRequest(
  tx: Tx,
  request: Pick<
    PullRequestRow,
    'project_id' | 'title' | 'body' | 'head' | 'base' | 'draft' | 'head_commit' | 'base_commit'
  >,
): Promise<PullRequestRow> {
  const { last } = await tx
    .selectFrom('pull_requests')
    .select((select) => select.fn.coalesce(select.fn.max('number'), select.lit(0)).as('last'))
    .where('project_id', '=', request.project_id)
    .executeTakeFirstOrThrow()
  return tx
    .insertInto('pull_requests')
    .values({ ...request, number: last + 1, token: randomText(16), state: 'open' })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updatePullRequest(
  tx: Tx,
  projectId: string,
  number: number,
  change: UpdateObject<Tables, 'pull_requests'>,
): Promise<void> {
  await tx
    .updateTable('pull_requests')
    .set(change)
    .where('project_id', '=', projectId)
    .where('number', '=', number)
    .execute()
}
