import { sql } from 'kysely'
import type { Reader } from '../../../store/database.ts'

/** How many of a project's last answers only quoted the documentation, because its model gave none. */
export interface QuotedAnswers {
  quoted: number
  of: number
  /** Of the newest of them. */
  because: string
}

/** Of so many answers. */
const looked = 15
/** Fewer are no sign. */
const fewest = 3

/** Undefined where the newest answer is by a model, or few are not. */
export async function readQuotedAnswers(db: Reader, projectId: string): Promise<QuotedAnswers | undefined> {
  // A question stands beside each answer, and some were stopped.
  const { rows } = await sql<{ trouble: string | null }>`
    select trouble from (
      select role, outcome, trouble, created_at, n from messages where project_id = ${projectId}
      order by created_at desc, thread_id desc, n desc limit ${4 * looked}
    ) as newest
    where role = 'assistant' and outcome <> 'stopped' order by created_at desc limit ${looked}
  `.execute(db)
  const troubles = rows.flatMap(({ trouble }) => trouble ?? [])
  const because = rows[0]?.trouble
  if (because === null || because === undefined || troubles.length < fewest) return undefined
  return { quoted: troubles.length, of: rows.length, because }
}
