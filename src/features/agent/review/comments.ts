import { sql, type Selectable } from 'kysely'
import type { Reader, Tx } from '../../../store/database.ts'
import type { Tables } from '../../../store/tables.ts'

/** What somebody said about lines of a job's changes. */
export interface LineComment {
  id: string
  authorId: string
  author: string
  path: string
  /** Of the change: as the file was before it, or as it is after it. */
  side: 'old' | 'new'
  line: number
  endLine: number
  /** The commit or tree that the lines are of. */
  revision: string
  /** git's id of the file with these lines. */
  file: string
  /** The lines as they were then. */
  quote: string
  /** Markdown, untrusted. */
  body: string
  /** The follow-up that it was sent with; undefined for a part of the draft review. */
  turn: number | undefined
  resolvedAt: Date | undefined
  createdAt: Date
  updatedAt: Date | undefined
}

/** In the order in which they were made. */
export async function listLineComments(reader: Reader, jobId: string): Promise<LineComment[]> {
  const rows = await reader
    .selectFrom('review_comments')
    .selectAll()
    .where('job_id', '=', jobId)
    .orderBy('id')
    .execute()
  return rows.map(toComment)
}

export async function readLineComment(
  reader: Reader,
  jobId: string,
  id: string,
): Promise<LineComment | undefined> {
  const row = await reader
    .selectFrom('review_comments')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toComment(row)
}

/** How many comments a job has, and how many of them are not sent. */
export async function countLineComments(
  reader: Reader,
  jobId: string,
): Promise<{ all: number; unsent: number }> {
  return reader
    .selectFrom('review_comments')
    .select((select) => select.fn.countAll<number>().as('all'))
    .select(sql<number>`count(*) filter (where turn is null)`.as('unsent'))
    .where('job_id', '=', jobId)
    .executeTakeFirstOrThrow()
}

export async function insertLineComment(
  tx: Tx,
  jobId: string,
  comment: Omit<LineComment, 'turn' | 'resolvedAt' | 'createdAt' | 'updatedAt'>,
): Promise<LineComment> {
  const { authorId, endLine, ...same } = comment
  const row = await tx
    .insertInto('review_comments')
    .values({ ...same, job_id: jobId, author_id: authorId, end_line: endLine })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toComment(row)
}

export async function updateLineComment(
  tx: Tx,
  id: string,
  { body, resolved }: { body?: string | undefined; resolved?: boolean | undefined },
): Promise<void> {
  await tx
    .updateTable('review_comments')
    .set({
      ...(body !== undefined && { body, updated_at: sql<Date>`now()` }),
      ...(resolved !== undefined && { resolved_at: resolved ? sql<Date>`now()` : null }),
    })
    .where('id', '=', id)
    .execute()
}

export async function deleteLineComment(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('review_comments').where('id', '=', id).execute()
}

/** Marks the draft review of a job as sent with a turn. */
export async function markSent(tx: Tx, jobId: string, turn: number): Promise<void> {
  await tx
    .updateTable('review_comments')
    .set({ turn })
    .where('job_id', '=', jobId)
    .where('turn', 'is', null)
    .execute()
}

function toComment(row: Selectable<Tables['review_comments']>): LineComment {
  const { job_id: _, author_id: authorId, end_line: endLine, ...same } = row
  return {
    id: same.id,
    authorId,
    author: same.author,
    path: same.path,
    side: same.side,
    line: same.line,
    endLine,
    revision: same.revision,
    file: same.file,
    quote: same.quote,
    body: same.body,
    turn: same.turn ?? undefined,
    resolvedAt: same.resolved_at ?? undefined,
    createdAt: same.created_at,
    updatedAt: same.updated_at ?? undefined,
  }
}
