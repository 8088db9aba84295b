import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../../store/database.ts'
import type { AnswerOutcomeColumn, CallerColumn, FeedbackReasonColumn } from '../../../store/columns.ts'
import { answerOutcomes } from '../outcome.ts'
import { listAgentFeedback, type AgentFeedback } from './agent-feedback.ts'
import { feedbackReasons } from './feedback.ts'
import { listSearches, type Range } from './list-searches.ts'

export const callers = ['web', 'widget', 'api', 'mcp'] as const satisfies readonly CallerColumn[]
export const intervals = ['day', 'week', 'month'] as const
export type Interval = (typeof intervals)[number]

/** What is counted of a whole range, and of each of its intervals. */
interface Counts {
  /** Threads with a question or an answer. */
  conversations: number
  questions: number
  outcomes: Record<AnswerOutcomeColumn, number>
  feedback: { up: number; down: number }
  searches: { total: number; withoutResult: number }
  /** Questions and searches by what they came through. */
  callers: Record<CallerColumn, { questions: number; searches: number }>
}

/** Milliseconds from a question to the end of its answer; null where there is none. */
interface Latency {
  p50: number | null
  p95: number | null
}

/** What happened in a range. All lists begin with what is most frequent. */
export interface Analytics {
  totals: Counts & {
    /** Why questions are unanswered. */
    causes: { nothing_found: number; weak: number; off_topic: number }
    reasons: Record<FeedbackReasonColumn, number>
    latency: Latency
  }
  /** One for each interval of the range, also where nothing happened. */
  series: ({ start: string; usage: ModelUse[] } & Counts)[]
  pages: { path: string; url: string; title: string; citations: number }[]
  sections: { path: string; url: string; title: string; heading: string | null; citations: number }[]
  /** Pages on which people asked, as clients name them. */
  askedOn: { page: string; questions: number }[]
  queries: { query: string; searches: number; withoutResult: number }[]
  queriesWithoutResult: { query: string; searches: number }[]
  models: ({ model: string; answers: number } & Latency)[]
  /** What agents thought of pages and searches, the newest first. */
  agentFeedback: (AgentFeedback & { at: string })[]
  /** Tokens and cost of all days (UTC) that the range touches. */
  usage: ModelUse[]
}

/** What calls of a model used. */
interface ModelUse {
  model: string
  calls: number
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  /** US dollars; null where no price is known. */
  cost: number | null
}

/** @param limit how many entries the lists have at most */
export async function readAnalytics(
  db: Reader,
  projectId: string,
  { range, interval, limit }: { range: Range; interval: Interval; limit: number },
): Promise<Analytics> {
  const during = sql`project_id = ${projectId} and created_at >= ${range.from} and created_at < ${range.to}`
  const start = sql`date_trunc(${sql.lit(interval)}, created_at at time zone 'UTC')::date`
  // One statement after the other, so that a large project does not take all connections.
  const { messages, conversations, models, askedOn } = await readMessages(db, { during, start, limit })
  const feedback = await sql<{
    start: string
    rating: 'up' | 'down'
    reason: FeedbackReasonColumn | null
    count: number
  }>`
    select ${start}::text as start, rating, reason, count(*)::int as count from feedback where ${during} group by ${start}, 2, 3
  `.execute(db)
  const searches = await sql<{ start: string; caller: CallerColumn; count: number; without: number }>`
    select ${start}::text as start, caller, count(*)::int as count,
      (count(*) filter (where results = 0))::int as without
    from searches where ${during} group by ${start}, 2
  `.execute(db)

  const usage = await readUsage(db, projectId, range, interval)
  const series = startsOf(range, interval).map((first) => ({
    start: first,
    ...nothing(),
    usage: usage.flatMap(({ start: of, ...used }) => (of === first ? [used] : [])),
  }))
  const byStart = new Map(series.map((counts) => [counts.start, counts]))
  const totals: Analytics['totals'] = {
    ...nothing(),
    causes: { nothing_found: 0, weak: 0, off_topic: 0 },
    reasons: zeros(feedbackReasons),
    latency: { p50: null, p95: null },
  }
  const inBoth = (first: string, count: (counts: Counts) => void): void => {
    count(totals)
    const counts = byStart.get(first)
    if (counts) count(counts)
  }
  for (const { start: first, outcome, cause, caller, isQuestion, count } of messages) {
    if (cause === 'nothing_found' || cause === 'weak' || cause === 'off_topic') totals.causes[cause] += count
    inBoth(first, (counts) => {
      if (isQuestion) counts.questions += count
      if (isQuestion) counts.callers[caller].questions += count
      if (outcome) counts.outcomes[outcome] += count
    })
  }
  for (const { start: first, count } of conversations) {
    const counts = first === null ? totals : byStart.get(first)
    if (counts) counts.conversations = count
  }
  for (const { start: first, rating, reason, count } of feedback.rows) {
    if (reason) totals.reasons[reason] += count
    inBoth(first, (counts) => {
      counts.feedback[rating] += count
    })
  }
  for (const { start: first, caller, count, without } of searches.rows) {
    inBoth(first, (counts) => {
      counts.callers[caller].searches += count
      counts.searches.total += count
      counts.searches.withoutResult += without
    })
  }
  const all = models.find(({ isAll }) => isAll)
  totals.latency = { p50: all?.p50 ?? null, p95: all?.p95 ?? null }
  return {
    totals,
    series,
    ...(await readCitations(db, during, limit)),
    askedOn,
    queries: (await listSearches(db, projectId, { range, limit })).searches.map(
      ({ query, searches: count, withoutResult }) => ({ query, searches: count, withoutResult }),
    ),
    queriesWithoutResult: (await listSearches(db, projectId, { range, result: 'none', limit })).searches.map(
      ({ query, searches: count }) => ({ query, searches: count }),
    ),
    models: models.flatMap(({ isAll, model, answers, p50, p95 }) =>
      isAll || model === null ? [] : [{ model, answers, p50, p95 }],
    ),
    agentFeedback: await listAgentFeedback(db, projectId, range, limit),
    usage: (await readUsage(db, projectId, range)).map(({ start: _start, ...used }) => used),
  }
}

function nothing(): Counts {
  return {
    conversations: 0,
    questions: 0,
    outcomes: zeros(answerOutcomes),
    feedback: { up: 0, down: 0 },
    searches: { total: 0, withoutResult: 0 },
    callers: {
      web: { questions: 0, searches: 0 },
      widget: { questions: 0, searches: 0 },
      api: { questions: 0, searches: 0 },
      mcp: { questions: 0, searches: 0 },
    },
  }
}

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
}

/** The first days of all intervals that a range touches. Weeks begin on Monday. All in UTC. */
export function startsOf({ from, to }: Range, interval: Interval): string[] {
  const at = new Date(from)
  at.setUTCHours(0, 0, 0, 0)
  if (interval === 'week') at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7))
  if (interval === 'month') at.setUTCDate(1)
  const starts: string[] = []
  while (at.getTime() < to.getTime()) {
    starts.push(at.toISOString().slice(0, 10))
    if (interval === 'month') at.setUTCMonth(at.getUTCMonth() + 1)
    else at.setUTCDate(at.getUTCDate() + (interval === 'week' ? 7 : 1))
  }
  return starts
}

interface MessageCounts {
  messages: {
    start: string
    outcome: AnswerOutcomeColumn | null
    cause: string | null
    caller: CallerColumn
    isQuestion: boolean
    count: number
  }[]
  /** Those without a start are of the whole range. */
  conversations: { start: string | null; count: number }[]
  models: (Latency & { isAll: boolean; model: string | null; answers: number })[]
  askedOn: Analytics['askedOn']
}

// The rows of messages are wide, so they are read once, and all is counted from their few columns that matter.
async function readMessages(
  db: Reader,
  { during, start, limit }: { during: RawBuilder<unknown>; start: RawBuilder<unknown>; limit: number },
): Promise<MessageCounts> {
  const { rows } = await sql<MessageCounts>`
    with read as materialized (
      select ${start} as start, thread_id, role, outcome, cause, caller, model, milliseconds, page
      from messages where ${during}
    ), asked as materialized (select distinct start, thread_id from read)
    select ${list(sql`
      select start, outcome, cause, caller, role = 'user' as "isQuestion", count(*) as count
      from read group by 1, 2, 3, 4, 5
    `)} as messages, ${list(sql`
      select start, count(*) as count from asked group by start
      union all select null, count(*) from (select distinct thread_id from asked) every
    `)} as conversations, ${list(sql`
      select grouping(model) = 1 as "isAll", model, count(*) as answers,
        round(percentile_cont(0.5) within group (order by milliseconds)) as p50,
        round(percentile_cont(0.95) within group (order by milliseconds)) as p95
      from read where milliseconds is not null
      group by grouping sets ((model), ()) order by answers desc, model
    `)} as models, ${list(sql`
      select page, count(*) as questions from read where role = 'user' and page is not null
      group by page order by questions desc, page limit ${limit}
    `)} as "askedOn"
  `.execute(db)
  const [read] = rows
  return read ?? { messages: [], conversations: [], models: [], askedOn: [] }
}

async function readCitations(
  db: Reader,
  during: RawBuilder<unknown>,
  limit: number,
): Promise<Pick<Analytics, 'pages' | 'sections'>> {
  const { rows } = await sql<Pick<Analytics, 'pages' | 'sections'>>`
    with cited as materialized (
      select s->>'path' as path, s->>'url' as url, max(s->>'title') as title, max(s->>'heading') as heading,
        count(*) as citations
      from messages, jsonb_array_elements(sources) s where ${during} and role = 'assistant'
        -- Without an answer, the links are the nearest pages.
        and outcome not in ('unanswered', 'uncited')
      group by 1, 2
    )
    select ${list(sql`
      select path, min(split_part(url, '#', 1)) as url, min(split_part(title, ' › ', 1)) as title,
        sum(citations) as citations
      from cited group by path order by citations desc, path limit ${limit}
    `)} as pages, ${list(sql`
      select path, url, title, heading, citations from cited order by citations desc, path, url limit ${limit}
    `)} as sections
  `.execute(db)
  const [read] = rows
  return read ?? { pages: [], sections: [] }
}

/** The rows of a query as one value. */
function list(query: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select coalesce(jsonb_agg(row), '[]') from (${query}) row)`
}

/** @param interval undefined: the whole range at once */
async function readUsage(
  db: Reader,
  projectId: string,
  { from, to }: Range,
  interval?: Interval,
): Promise<(ModelUse & { start: string })[]> {
  const [first, last] = [from, new Date(to.getTime() - 1)].map((time) => time.toISOString().slice(0, 10))
  const start = interval ? sql`date_trunc(${sql.lit(interval)}, day::timestamp)::date::text` : sql`''`
  const { rows } = await sql<ModelUse & { start: string }>`
    select ${start} as start, model, sum(calls)::int8 as calls, sum(input_tokens)::int8 as "inputTokens",
      sum(cached_input_tokens)::int8 as "cachedInputTokens", sum(output_tokens)::int8 as "outputTokens",
      sum(cost)::int8 / 1e6::float8 as cost
    from usage_days where project_id = ${projectId} and surface = 'assistant' and day >= ${first} and day <= ${last}
    group by 1, model order by 1, sum(input_tokens) desc, model
  `.execute(db)
  return rows
}
