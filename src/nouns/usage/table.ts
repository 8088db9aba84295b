import { dayText } from '../../lib/text/time-words.ts'
import { sql } from 'kysely'
import type { Reader } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

/** Tokens and cost of one model on one surface over some days. */
export interface ModelUsageSum {
  surface: Tables['usage_days']['surface']
  model: string
  calls: number
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  /** US dollars; undefined where no price is known. */
  cost: number | undefined
}

/** What a project used in the last `days` days (UTC), today included; the most expensive first. */
export async function projectUsage(db: Reader, projectId: string, days: number): Promise<ModelUsageSum[]> {
  const since = dayText(new Date(Date.now() - (days - 1) * 86_400_000))
  const { rows } = await sql<{
    surface: ModelUsageSum['surface']
    model: string
    calls: number
    input: number
    cached: number
    output: number
    cost: number | null
  }>`
    select surface, model, sum(calls)::int8 as calls, sum(input_tokens)::int8 as input,
      sum(cached_input_tokens)::int8 as cached, sum(output_tokens)::int8 as output, sum(cost)::int8 as cost
    from usage_days where project_id = ${projectId} and day >= ${since}
    group by surface, model order by coalesce(sum(cost), 0) desc, sum(input_tokens) desc, model
  `.execute(db)
  return rows.map(({ surface, model, calls, input, cached, output, cost }) => ({
    surface,
    model,
    calls,
    inputTokens: input,
    cachedInputTokens: cached,
    outputTokens: output,
    cost: cost === null ? undefined : cost / 1e6,
  }))
}
