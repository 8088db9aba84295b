import type { SourceColumn } from '../../store/tables.ts'
import { json } from '../../store/database.ts'
import type { Reader, Tx } from '../../store/database.ts'
import type { Thread } from './threads.ts'
import type { Outcome } from './outcome.ts'

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
  /** Whether it may be asked again or edited: it then stands in for an earlier question with the same id, or for the thread's first one. */
  again: 'no' | 'same-id' | 'same-start'
}

/** A question that is on record, with what was said before it. */
export interface RecordedQuestion {
  n: number
  /** Oldest first, without the question itself. */
  before: Said[]
}

/** Far more than a model is given. */
const mostReplayed = 200

/** Writes a question into a thread that the same transaction holds. */
export async function insertQuestion(
  tx: Tx,
  thread: Thread,
  question: NewQuestion,
): Promise<RecordedQuestion> {
  const rows = await readNewest(tx, thread)
  const last = rows[0]?.n ?? -2
  const n = last - (last % 2) + 2
  const replaces = findReplaced(rows, question)?.n
  await tx
    .insertInto('messages')
    .values({
      project_id: thread.projectId,
      thread_id: thread.id,
      n,
      id: question.id,
      fp: question.fp,
      replaces: replaces ?? null,
      role: 'user',
      text: question.text,
      sources: json([]),
    })
    .execute()
  const before = keepLatest(rows.reverse()).filter((row) => replaces === undefined || row.n < replaces)
  return { n, before: before.map(({ role, text }) => ({ role, text })) }
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
}

/** Writes what became of question `n`; a thread deleted meanwhile stays deleted. */
export async function insertAnswer(tx: Tx, thread: Thread, n: number, answer: NewAnswer): Promise<void> {
  const question = await tx
    .selectFrom('messages')
    .select('n')
    .where('project_id', '=', thread.projectId)
    .where('thread_id', '=', thread.id)
    .where('n', '=', n)
    .forKeyShare()
    .executeTakeFirst()
  if (!question) return
  await tx
    .insertInto('messages')
    .values({
      project_id: thread.projectId,
      thread_id: thread.id,
      n: n + 1,
      id: answer.id,
      fp: answer.fp,
      role: 'assistant',
      text: answer.text,
      sources: json(answer.sources),
      outcome: answer.outcome.outcome,
      cause: answer.outcome.cause ?? null,
    })
    .execute()
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

// A question that was asked again takes the place of the first one and of all that followed it.
function keepLatest(rows: Row[]): Row[] {
  let kept: Row[] = []
  for (const row of rows) {
    const from = row.replaces
    if (from !== null) kept = kept.filter(({ n }) => n < from)
    kept.push(row)
  }
  return kept
}
