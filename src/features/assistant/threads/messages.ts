import { makeStorable } from '../../../lib/text/plain-text.ts'
import { sql } from 'kysely'
import type { CallerColumn, ContextColumn, SourceColumn } from '../../../store/columns.ts'
import { json, type Reader, type Tx } from '../../../store/database.ts'
import { listIfKept, textIfKept } from './kept-texts.ts'
import { newThread, rowOfThread, takeThread, type Thread } from './threads.ts'
import type { Outcome } from '../outcome.ts'

/** One turn of a conversation as the model is given it. */
export interface Said {
  role: 'user' | 'assistant'
  text: string
}

export interface NewQuestion {
  /** The client's id of the message. */
  id: string
  fp: string
  text: string
  /**
   * Whether it may repeat or edit an earlier question: it then replaces the one with the same id, or the thread's
   * first one.
   */
  again: 'no' | 'same-id' | 'same-start'
}

/** A question that is on record, with what was said before it. */
interface RecordedQuestion {
  thread: Thread
  n: number
  /** Oldest first, without the question itself. */
  before: Said[]
}

/** Far more than a model is sent. */
const mostReplayed = 200

/**
 * Writes a question into the thread that is named, or into a new one; unknown ids are adopted as they are. Holds the
 * thread's row until the transaction ends, so that parallel requests number their messages in turn.
 */
export async function insertQuestion(
  tx: Tx,
  projectId: string,
  threadId: string | undefined,
  question: NewQuestion & {
    caller: CallerColumn
    page: string | undefined
    context?: readonly ContextColumn[]
    chatId?: string | undefined
  },
): Promise<RecordedQuestion> {
  const rowOf = (thread: Thread, n: number, replaces: number | undefined) => ({
    project_id: projectId,
    thread_id: thread.id,
    n,
    id: question.id,
    fp: question.fp,
    replaces: replaces ?? null,
    role: 'user' as const,
    text: textIfKept(projectId, question.text),
    context: listIfKept(projectId, question.context ?? [], []),
    sources: json([]),
    caller: question.caller,
    page: question.page ?? null,
    chat_id: question.chatId ?? null,
  })
  if (threadId === undefined) {
    const thread = newThread(projectId)
    await tx
      .with('thread', (db) => db.insertInto('threads').values(rowOfThread(thread)))
      .insertInto('messages')
      .values(rowOf(thread, 0, undefined))
      .execute()
    return { thread, n: 0, before: [] }
  }
  const thread = await takeThread(tx, projectId, threadId)
  const rows = await readNewest(tx, thread)
  const last = rows[0]?.n ?? -2
  const n = last - (last % 2) + 2
  const replaces = findReplaced(rows, question)?.n
  await tx
    .insertInto('messages')
    .values(rowOf(thread, n, replaces))
    .execute()
  const latest = keepLatest(rows.reverse()).filter((row) => replaces === undefined || row.n < replaces)
  const before = withoutUnkept(latest)
  return { thread, n, before: before.map(({ role, text }) => ({ role, text })) }
}

function findReplaced(rows: Row[], { again, id, text }: NewQuestion): Row | undefined {
  const questions = rows.filter(({ role }) => role === 'user')
  if (again === 'same-id') return questions.find((row) => row.id === id)
  const [newest] = questions
  const same = again === 'same-start' && questions.every((row) => row.text === text)
  return same ? newest : undefined
}

export interface NewAnswer {
  id: string
  fp: string
  text: string
  sources: SourceColumn[]
  outcome: Outcome
  /** The model that gave it; undefined where none was asked. */
  model: string | undefined
  milliseconds: number
  /** Why the built-in model gave it in place of another one. */
  trouble?: string | undefined
}

/** Records the outcome of question `n`. A thread that was deleted meanwhile stays deleted. */
export async function insertAnswer(tx: Tx, thread: Thread, n: number, answer: NewAnswer): Promise<void> {
  const withoutWords = answer.sources.map((source) => ({ ...source, words: undefined }))
  await sql`
    insert into messages (project_id, thread_id, n, id, fp, role, text, sources, outcome, cause, missing, caller,
      model, milliseconds, trouble, pinned)
    select project_id, thread_id, n + 1, ${answer.id}, ${answer.fp}, 'assistant',
      ${textIfKept(thread.projectId, answer.text)}, ${listIfKept(thread.projectId, answer.sources, withoutWords)},
      ${answer.outcome.outcome}, ${answer.outcome.cause ?? null},
      ${listIfKept(thread.projectId, answer.outcome.missing ?? [], [])}, caller, ${answer.model ?? null},
      ${answer.milliseconds}, ${answer.trouble === undefined ? null : makeStorable(answer.trouble).slice(0, 1000)},
      ${answer.outcome.pinned ?? null}
    from messages where project_id = ${thread.projectId} and thread_id = ${thread.id} and n = ${n}
    for key share
  `.execute(tx)
}

interface Row extends Said {
  n: number
  id: string
  replaces: number | null
}

// Newest first.
async function readNewest(db: Reader, thread: Thread): Promise<Row[]> {
  return db
    .selectFrom('messages')
    .select(['n', 'id', 'role', 'text', 'replaces'])
    .where('project_id', '=', thread.projectId)
    .where('thread_id', '=', thread.id)
    .orderBy('n', 'desc')
    .limit(mostReplayed)
    .execute()
}

// A question that was asked again replaces the first one and everything after it.
function keepLatest(rows: Row[]): Row[] {
  let kept: Row[] = []
  for (const row of rows) {
    const from = row.replaces
    if (from !== null) kept = kept.filter(({ n }) => n < from)
    kept.push(row)
  }
  return kept
}

// Questions whose text was not kept cannot be said again, nor can their answers.
function withoutUnkept(rows: Row[]): Row[] {
  const unkept = new Set(
    rows.flatMap(({ n, role, text }) => (role === 'user' && text === '' ? [n, n + 1] : [])),
  )
  return rows.filter(({ n }) => !unkept.has(n))
}
