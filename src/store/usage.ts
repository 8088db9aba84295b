import { sql } from 'kysely'
import type { Tx } from './database.ts'
import type { Tables } from './tables.ts'

/** What one call of a model used; the cached tokens are part of the input tokens. */
export interface UsageCount {
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
}

/**
 * Counts a call of a model for its project and day (UTC, by the database's clock), in the transaction that records the
 * call. `cost` is in millionths of a US dollar; undefined where no price is known, which leaves the day's sum as it is.
 */
export async function addUsage(
  tx: Tx,
  projectId: string,
  surface: Tables['usage_days']['surface'],
  model: string,
  usage: UsageCount,
  cost: number | undefined,
): Promise<void> {
  await tx
    .insertInto('usage_days')
    .values({
      project_id: projectId,
      day: sql<string>`to_char(now() at time zone 'UTC', 'YYYY-MM-DD')`,
      surface,
      model,
      calls: 1,
      input_tokens: usage.inputTokens,
      cached_input_tokens: usage.cachedInputTokens,
      output_tokens: usage.outputTokens,
      cost: cost ?? null,
    })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'day', 'surface', 'model']).doUpdateSet({
        calls: sql<number>`usage_days.calls + 1`,
        input_tokens: sql<number>`usage_days.input_tokens + excluded.input_tokens`,
        cached_input_tokens: sql<number>`usage_days.cached_input_tokens + excluded.cached_input_tokens`,
        output_tokens: sql<number>`usage_days.output_tokens + excluded.output_tokens`,
        cost: sql<number>`coalesce(usage_days.cost + excluded.cost, usage_days.cost, excluded.cost)`,
      }),
    )
    .execute()
}
