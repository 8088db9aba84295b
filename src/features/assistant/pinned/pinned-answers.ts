import { sql } from 'kysely'
import { AppError } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { hasUnstorable } from '../../../lib/text/plain-text.ts'
import { noteAct } from '../../../store/acts.ts'
import type { AskedByColumn } from '../../../store/columns.ts'
import { json, type Reader, type Tx } from '../../../store/database.ts'
import { keyOfQuestion, likeness, type Spelling } from './same-question.ts'

/** An answer that the docs team wrote, and the questions that it is given to. */
export interface PinnedAnswer {
  id: string
  /** The first one names it; the others are other ways to ask. */
  questions: string[]
  /** Markdown. Links to pages of the project become sources. */
  answer: string
  /** Null where nobody is known. */
  author: AskedByColumn | null
  createdAt: Date
  changedBy: AskedByColumn | null
  changedAt: Date
  /** Questions that got it, as far as they are kept. */
  uses: number
  lastUsedAt: Date | null
}

/** Each question is compared with all of them. */
const mostPinned = 200

interface Pinning {
  questions: string[]
  answer: string
  by: AskedByColumn | undefined
}

interface PinChange {
  questions?: string[] | undefined
  answer?: string | undefined
  by: AskedByColumn | undefined
}

/** The pinned answers of a project, the one that was changed last first. */
export async function listPinnedAnswers(db: Reader, projectId: string, id?: string): Promise<PinnedAnswer[]> {
  const { rows } = await sql<PinnedAnswer>`
    select id, questions, answer, author, created_at as "createdAt", changed_by as "changedBy",
      changed_at as "changedAt", uses, "lastUsedAt"
    from pinned_answers p cross join lateral (
      select count(*)::int as uses, max(created_at) as "lastUsedAt" from messages m
      where m.project_id = p.project_id and m.pinned = p.id
    ) used
    where project_id = ${projectId} ${id === undefined ? sql`` : sql`and id = ${id}`}
    order by changed_at desc, id limit ${mostPinned}
  `.execute(db)
  return rows
}

/** @throws AppError `not_found` */
export async function getPinnedAnswer(db: Reader, projectId: string, id: string): Promise<PinnedAnswer> {
  const [pinned] = hasUnstorable(id) ? [] : await listPinnedAnswers(db, projectId, id)
  if (!pinned) throw missing()
  return pinned
}

/** @throws AppError `conflict` where a question has a pinned answer already, `invalid` where no word says what it asks */
export async function pinAnswer(
  tx: Tx,
  projectId: string,
  { questions, answer, by }: Pinning,
  spelling: Spelling,
): Promise<string> {
  const others = await takeAll(tx, projectId)
  requireOwn(questions, others, spelling)
  if (others.length >= mostPinned)
    throw new AppError('invalid', `A project can have ${mostPinned} pinned answers. Remove one first`)
  const id = newId('pin')
  const author = by ? json(by) : null
  await tx
    .insertInto('pinned_answers')
    .values({ id, project_id: projectId, questions: json(questions), answer, author, changed_by: author })
    .execute()
  noteAct({ target: id })
  return id
}

/** @throws AppError `not_found`, and those of `pinAnswer` */
export async function changePinnedAnswer(
  tx: Tx,
  projectId: string,
  id: string,
  { questions, answer, by }: PinChange,
  spelling: Spelling,
): Promise<void> {
  const all = await takeAll(tx, projectId)
  if (!all.some((one) => one.id === id)) throw missing()
  if (questions !== undefined)
    requireOwn(
      questions,
      all.filter((one) => one.id !== id),
      spelling,
    )
  await tx
    .updateTable('pinned_answers')
    .set({
      ...(questions !== undefined && { questions: json(questions) }),
      ...(answer !== undefined && { answer }),
      changed_by: by ? json(by) : null,
      changed_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
  noteAct({ target: id })
}

/** @throws AppError `not_found` */
export async function unpinAnswer(tx: Tx, projectId: string, id: string): Promise<void> {
  const { numDeletedRows } = hasUnstorable(id)
    ? { numDeletedRows: 0n }
    : await tx
        .deleteFrom('pinned_answers')
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .executeTakeFirst()
  if (numDeletedRows === 0n) throw missing()
  noteAct({ target: id })
}

export interface PinnedMatch {
  id: string
  answer: string
  changedAt: Date
}

/** The pinned answer for a question, in whatever spelling it is asked. */
export async function findPinnedAnswer(
  db: Reader,
  projectId: string,
  question: string,
  spelling: Spelling,
): Promise<PinnedMatch | undefined> {
  const rows = await readQuestions(db, projectId)
  const id = rows.length === 0 ? undefined : nearest(question, rows, spelling)
  if (id === undefined) return undefined
  const row = await db
    .selectFrom('pinned_answers')
    .select(['answer', 'changed_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { id, answer: row.answer, changedAt: row.changed_at }
}

export interface PinnedQuestions {
  id: string
  questions: string[]
}

/** What the pinned answers of a project are given to. */
export async function readQuestions(db: Reader, projectId: string): Promise<PinnedQuestions[]> {
  return db
    .selectFrom('pinned_answers')
    .select(['id', 'questions'])
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
}

/** The pinned answer whose question is most like a question; undefined where none is like it. */
export function nearest(
  question: string,
  pinned: readonly PinnedQuestions[],
  spelling: Spelling,
): string | undefined {
  const wanted = keyOfQuestion(question, spelling)
  if (!wanted) return undefined
  let best: { id: string; like: number } | undefined
  for (const { id, questions } of pinned)
    for (const text of questions) {
      const key = keyOfQuestion(text, spelling)
      const like = key ? likeness(wanted, key) : 0
      if (like > (best?.like ?? 0)) best = { id, like }
    }
  return best?.id
}

// Two that pin the same question at once must not both succeed.
async function takeAll(tx: Tx, projectId: string): Promise<PinnedQuestions[]> {
  await tx.selectFrom('projects').select('id').where('id', '=', projectId).forUpdate().execute()
  return readQuestions(tx, projectId)
}

function requireOwn(
  questions: readonly string[],
  others: readonly PinnedQuestions[],
  spelling: Spelling,
): void {
  for (const question of questions) {
    if (!keyOfQuestion(question, spelling))
      throw new AppError(
        'invalid',
        `No word of ${JSON.stringify(question)} says what it asks. Write the whole question`,
      )
    const id = nearest(question, others, spelling)
    if (id !== undefined)
      throw new AppError(
        'conflict',
        `${JSON.stringify(question)} already has the pinned answer ${id}. Change that one`,
      )
  }
}

function missing(): AppError {
  return new AppError('not_found', 'Pinned answer not found. See the list of pinned answers')
}
