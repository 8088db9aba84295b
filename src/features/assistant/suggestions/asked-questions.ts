import { sql } from 'kysely'
import type { Reader } from '../../../store/database.ts'
import { groupOf, keyOfQuestion, type Spelling } from '../pinned/same-question.ts'

/** Different readers who must have asked a question, in whatever spelling, before others are shown it. */
const leastReaders = 3
const days = 90
/** Questions that are looked through, the newest ones. */
const mostRead = 2000
const longest = 100
const leastWords = 3
const mostShown = 5

/**
 * Whole questions to show to other readers: those that the docs team pinned an answer for, then those that several
 * readers asked and the documentation answered, the most asked first.
 */
export async function askedQuestions(db: Reader, projectId: string, spelling: Spelling): Promise<string[]> {
  const { rows } = await sql<{ text: string; fp: string }>`
    select q.text, q.fp from messages q join messages a
      on a.project_id = q.project_id and a.thread_id = q.thread_id and a.n = q.n + 1
    where q.project_id = ${projectId} and q.role = 'user' and q.n = 0 and a.outcome = 'answered'
      and q.created_at > now() - ${days} * interval '1 day' and length(q.text) between 10 and ${longest}
      and q.fp <> 'anonymous' and q.context = '[]'
    order by q.created_at desc limit ${mostRead}
  `.execute(db)
  const pinned = await sql<{ text: string }>`
    select questions->>0 as text from pinned_answers where project_id = ${projectId} order by changed_at desc limit 10
  `.execute(db)
  const byKey = new Map<string, { text: string; readers: Set<string> }>()
  for (const { text, fp } of rows) {
    const question = wholeQuestion(text)
    const questionKey = question === undefined ? undefined : keyOfQuestion(question, spelling)
    if (question === undefined || questionKey === undefined) continue
    const key = groupOf(questionKey)
    const known = byKey.get(key)
    if (known) known.readers.add(fp)
    else byKey.set(key, { text: question, readers: new Set([fp]) })
  }
  const popular = [...byKey.values()]
    .filter(({ readers }) => readers.size >= leastReaders)
    .sort((one, other) => other.readers.size - one.readers.size)
    .map(({ text }) => text)
  const written = pinned.rows.flatMap(({ text }) => wholeQuestion(text) ?? [])
  return [...new Set([...written, ...popular])].slice(0, mostShown)
}

/** A text as a question that stands alone; undefined for key words, and for what may be about a person. */
export function wholeQuestion(text: string): string | undefined {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (!/[?？؟]$/.test(line) || line.length > longest) return undefined
  // Addresses, numbers of accounts and orders, secrets.
  if (/@|:\/\/|\d{4}|\S{30}|[<>{}|\\`]/.test(line)) return undefined
  if (/\b(?:my name|i am|i'm|it|them|this|these|those|that)\b/i.test(line)) return undefined
  const isSpaced = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{P}\p{S}\p{N}\s]+$/u.test(line)
  if (isSpaced && line.split(' ').length < leastWords) return undefined
  return line.slice(0, 1).toLocaleUpperCase('en') + line.slice(1)
}
