import { sql } from 'kysely'
import type { AnswerOutcomeColumn } from '../../../store/columns.ts'
import type { Reader } from '../../../store/database.ts'
import { nearest, readQuestions } from './pinned-answers.ts'
import { groupOf, keyOfQuestion, type Spelling } from './same-question.ts'

/** A question whose answers were poor, with the newest of them. */
export interface WeakAnswer {
  question: string
  answer: string
  outcome: AnswerOutcomeColumn
  cause: string | null
  threadId: string
  n: number
  askedAt: Date
  /** How often it was asked and answered poorly, in whatever spelling. */
  times: number
  /** Readers who rated the answers down. */
  down: number
}

/** Answers that are looked through, the newest ones. */
const mostRead = 500
const longestQuestion = 400
const longestAnswer = 4000

/**
 * Questions that were not answered, or answered poorly, and have no pinned answer: those asked most often first, then the
 * newest. Questions about something else, and those whose texts are not kept, are left out.
 */
export async function listWeakAnswers(
  db: Reader,
  projectId: string,
  { limit, spelling }: { limit: number; spelling: Spelling },
): Promise<WeakAnswer[]> {
  const ratedDown = sql`(select count(*)::int from feedback f where f.project_id = a.project_id
    and f.thread_id = a.thread_id and f.n = a.n and f.rating = 'down')`
  const { rows } = await sql<Omit<WeakAnswer, 'times'>>`
    with poor as (
      (select project_id, thread_id, n from messages where project_id = ${projectId}
        and outcome in ('unanswered', 'weak', 'partial', 'uncited') and cause is distinct from 'off_topic'
        order by created_at desc limit ${mostRead})
      union (select project_id, thread_id, n from feedback where project_id = ${projectId} and rating = 'down'
        order by created_at desc limit ${mostRead})
    )
    select left(q.text, ${longestQuestion}) as question, left(a.text, ${longestAnswer}) as answer, a.outcome, a.cause,
      q.thread_id as "threadId", q.n, q.created_at as "askedAt", ${ratedDown} as down
    from poor join messages a on a.project_id = poor.project_id and a.thread_id = poor.thread_id and a.n = poor.n
      join messages q on q.project_id = a.project_id and q.thread_id = a.thread_id and q.n = a.n - 1
    where q.role = 'user' and q.text <> '' and a.pinned is null and a.outcome is not null
    order by q.created_at desc, q.thread_id, q.n limit ${mostRead}
  `.execute(db)
  const pinned = await readQuestions(db, projectId)
  const byKey = new Map<string, WeakAnswer>()
  for (const row of rows) {
    const questionKey = keyOfQuestion(row.question, spelling)
    const key = questionKey ? groupOf(questionKey) : row.question
    const known = byKey.get(key)
    if (known) {
      known.times++
      known.down += row.down
    } else byKey.set(key, { ...row, times: 1 })
  }
  return [...byKey.values()]
    .filter(({ question }) => nearest(question, pinned, spelling) === undefined)
    .sort((one, other) => other.times - one.times || other.askedAt.getTime() - one.askedAt.getTime())
    .slice(0, limit)
}
