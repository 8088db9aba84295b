import { dayText } from '../../lib/text/time-words.ts'
import { sql } from 'kysely'
import type { Reader } from '../../store/database.ts'
import { limits, sizeOf, useBy, type Limit, type LimitUse } from '../../features/projects/limits.ts'
import { isEnriching, spentThisMonth, usualCeiling } from '../../features/docs/enrich/enrichment.ts'
import type { Project } from '../../features/projects/projects.ts'
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

/** How much of a limit is used at present. */
export interface LimitUseNow {
  /** As the API names it. */
  name: string
  label: string
  used: number
  /** Undefined where nothing limits it. */
  most: number | undefined
  unit: 'requests' | 'tokens' | 'dollars'
  window: 'hour' | 'day' | 'month'
}

/** What of a project's limits is used now. */
export async function limitUses(db: Reader, project: Project): Promise<LimitUseNow[]> {
  const { organizationId } = project
  const [spent, jobs, messages, questions, usage] = await Promise.all([
    spentOnSearch(db, project),
    recentUses(db, useBy(project, limits.jobCreate)),
    recentUses(db, useBy(project, limits.jobMessage)),
    recentUses(db, { limit: limits.assistantOrganization, subject: organizationId, organizationId }),
    projectUsage(db, project.id, 1),
  ])
  const ofAssistant = usage.filter(({ surface }) => surface === 'assistant')
  const tokens = ofAssistant.reduce((sum, one) => sum + one.inputTokens + one.outputTokens, 0)
  const perHour = (limit: Limit, label: string, { used, most }: Recent): LimitUseNow => ({
    name: limit.name,
    label,
    used,
    most,
    unit: 'requests',
    window: 'hour',
  })
  return [
    perHour(limits.jobCreate, 'Jobs started', jobs),
    perHour(limits.jobMessage, 'Follow-ups to jobs', messages),
    perHour(limits.assistantOrganization, 'Questions to the assistant of all projects', questions),
    {
      name: 'assistant-tokens',
      label: 'Assistant tokens per day',
      used: tokens,
      most: project.settings.assistantTokensPerDay,
      unit: 'tokens',
      window: 'day',
    },
    ...(spent
      ? [
          {
            name: 'enrichment',
            label: 'Semantic search',
            ...spent,
            unit: 'dollars' as const,
            window: 'month' as const,
          },
        ]
      : []),
  ]
}

interface Recent {
  used: number
  most: number
}

async function recentUses(db: Reader, { limit, subject, organizationId }: LimitUse): Promise<Recent> {
  const { rows } = await sql<Recent>`
    select count(*)::int8 as used, ${sizeOf(sql`${limit.name}`, sql`${limit.count}`, sql`${organizationId ?? null}`)}::int as most
    from recent_uses where scope = ${`${limit.name}:${subject}`}
      and used_at > clock_timestamp() - make_interval(secs => ${limit.seconds})
  `.execute(db)
  return rows[0] ?? { used: 0, most: limit.count }
}

/** US dollars that search by meaning took this month, and its ceiling; undefined where it is off. */
async function spentOnSearch(
  db: Reader,
  { id, settings: { enrichment } }: Project,
): Promise<{ used: number; most: number } | undefined> {
  if (!isEnriching(enrichment)) return undefined
  return { used: (await spentThisMonth(db, id)) / 1e6, most: enrichment.ceiling ?? usualCeiling }
}
