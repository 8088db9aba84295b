import { sql } from 'kysely'
import type { Tx } from './database.ts'
import type { Tables } from './tables.ts'

/** What one call of a model used; the cached tokens are part of the input tokens. */
export interface UsageCount {
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
}

/** One call of a model. */
interface UsedModel {
  model: string
  usage: UsageCount
  /** Millionths of a US dollar; undefined where no price is known, which leaves the day's sum as it is. */
  cost: number | undefined
}

/**
 * Counts calls of models for their project and day (UTC, by the database's clock), in the transaction that records
 * them. Other transactions that count for the same project wait for its end, so this comes last.
 */
export async function addUsage(
  tx: Tx,
  projectId: string,
  surface: Tables['usage_days']['surface'],
  calls: readonly UsedModel[],
): Promise<void> {
  if (calls.length === 0) return
  const rows = [...Map.groupBy(calls, ({ model }) => model)]
    // All transactions take rows in this order, so that no two wait for each other.
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([model, ofModel]) => {
      const costs = ofModel.flatMap(({ cost }) => cost ?? [])
      const sum = (of: keyof UsageCount): number => ofModel.reduce((total, { usage }) => total + usage[of], 0)
      return {
        project_id: projectId,
        day: sql<string>`to_char(now() at time zone 'UTC', 'YYYY-MM-DD')`,
        surface,
        model,
        calls: ofModel.length,
        input_tokens: sum('inputTokens'),
        cached_input_tokens: sum('cachedInputTokens'),
        output_tokens: sum('outputTokens'),
        cost: costs.length === 0 ? null : costs.reduce((total, cost) => total + cost, 0),
      }
    })
  await tx
    .insertInto('usage_days')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'day', 'surface', 'model']).doUpdateSet({
        calls: sql<number>`usage_days.calls + excluded.calls`,
        input_tokens: sql<number>`usage_days.input_tokens + excluded.input_tokens`,
        cached_input_tokens: sql<number>`usage_days.cached_input_tokens + excluded.cached_input_tokens`,
        output_tokens: sql<number>`usage_days.output_tokens + excluded.output_tokens`,
        cost: sql<number>`coalesce(usage_days.cost + excluded.cost, usage_days.cost, excluded.cost)`,
      }),
    )
    .execute()
}
