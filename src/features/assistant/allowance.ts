import { sql } from 'kysely'
import { AppError } from '../../lib/errors.ts'
import type { Reader, Store } from '../../store/database.ts'
import type { AssistantProject } from './ports.ts'

/** What a long answer uses: set aside while one is on its way, so that many at once do not all slip through. */
const perAnswer = 100_000

/**
 * Keeps answers within a project's tokens of the day (UTC). Tokens set aside are those of this process.
 * @returns takes the allowance for one answer; what it returns gives the part back that was set aside
 */
export function createAllowance(
  { db }: Pick<Store, 'db'>,
  onError: (error: unknown) => void,
): (project: AssistantProject, perDay: number | undefined) => Promise<(() => void) | undefined> {
  const aside = new Map<string, number>()
  const told = new Map<string, string>()
  return async ({ id, domain }, perDay) => {
    if (perDay === undefined) return () => undefined
    const { day, tokens } = await usedToday(db, id)
    const reserved = aside.get(id) ?? 0
    if (tokens + reserved >= perDay) {
      if (tokens >= perDay && told.get(id) !== day) {
        told.set(id, day)
        onError(
          new AppError(
            'rate_limited',
            `The assistant of ${domain} has used its ${perDay} tokens of ${day}; until midnight UTC it answers with passages`,
          ),
        )
      }
      return undefined
    }
    aside.set(id, reserved + perAnswer)
    return () => {
      const left = (aside.get(id) ?? 0) - perAnswer
      if (left > 0) aside.set(id, left)
      else aside.delete(id)
    }
  }
}

async function usedToday(db: Reader, projectId: string): Promise<{ day: string; tokens: number }> {
  const { rows } = await sql<{ day: string; tokens: number }>`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as day,
      (select coalesce(sum(input_tokens + output_tokens), 0)::bigint from usage_days
        where project_id = ${projectId} and surface = 'assistant' and model <> 'builtin'
          and day = to_char(now() at time zone 'UTC', 'YYYY-MM-DD')) as tokens
  `.execute(db)
  return rows[0] ?? { day: '', tokens: 0 }
}
