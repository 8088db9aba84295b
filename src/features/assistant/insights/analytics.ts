import { dayText } from '../../../lib/text/time-words.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../../store/database.ts'
import type { AnswerOutcomeColumn, CallerColumn, FeedbackReasonColumn } from '../../../store/columns.ts'
import { answerOutcomes } from '../outcome.ts'
import { listAgentFeedback, type AgentFeedback } from './agent-feedback.ts'
import { feedbackReasons, type Interval } from './insight-words.ts'
import { list, sumDays, type SummingStore } from './insight-days.ts'
import type { Range } from './list-searches.ts'

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
  store: SummingStore,
  projectId: string,
  { range, interval, limit }: { range: Range; interval: Interval; limit: number },
  now: Date = new Date(),
): Promise<Analytics> {
  const { db } = store
  const days = await sumDays(store, projectId, range, now)
  // One statement after the other, so that a large project does not take all connections.
  const sums = await readSums(db, days, { interval, limit })
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
  for (const { start: first, outcome, cause, caller, isQuestion, count } of sums.messages) {
    if (cause === 'nothing_found' || cause === 'weak' || cause === 'off_topic') totals.causes[cause] += count
    inBoth(first, (counts) => {
      if (isQuestion) counts.questions += count
      if (isQuestion) counts.callers[caller].questions += count
      if (outcome) counts.outcomes[outcome] += count
    })
  }
  for (const { start: first, count } of sums.conversations) {
    const counts = first === null ? totals : byStart.get(first)
    if (counts) counts.conversations = count
  }
  for (const { start: first, rating, reason, count } of sums.feedback) {
    if (reason) totals.reasons[reason] += count
    inBoth(first, (counts) => {
      counts.feedback[rating] += count
    })
  }
  for (const { start: first, caller, count, without } of sums.searches) {
    inBoth(first, (counts) => {
      counts.callers[caller].searches += count
      counts.searches.total += count
      counts.searches.withoutResult += without
    })
  }
  const all = sums.models.find(({ isAll }) => isAll)
  totals.latency = { p50: all?.p50 ?? null, p95: all?.p95 ?? null }
  return {
    totals,
    series,
    pages: sums.pages,
    sections: sums.sections,
    askedOn: sums.askedOn,
    queries: sums.queries,
    queriesWithoutResult: sums.queriesWithoutResult,
    models: sums.models.flatMap(({ isAll, model, answers, p50, p95 }) =>
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
      chat: { questions: 0, searches: 0 },
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
    starts.push(dayText(at))
    if (interval === 'month') at.setUTCMonth(at.getUTCMonth() + 1)
    else at.setUTCDate(at.getUTCDate() + (interval === 'week' ? 7 : 1))
  }
  return starts
}

interface Sums extends Pick<
  Analytics,
  'pages' | 'sections' | 'askedOn' | 'queries' | 'queriesWithoutResult'
> {
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
  feedback: { start: string; rating: 'up' | 'down'; reason: FeedbackReasonColumn | null; count: number }[]
  searches: { start: string; caller: CallerColumn; count: number; without: number }[]
}

/** Adds up days. */
async function readSums(
  db: Reader,
  days: RawBuilder<unknown>,
  { interval, limit }: { interval: Interval; limit: number },
): Promise<Sums> {
  const { rows } = await sql<Sums>`
    with days as materialized (
      select date_trunc(${sql.lit(interval)}, day::timestamp)::date as start, summed.* from (${days}) summed
    ), asked as materialized (
      select distinct start, thread from days, jsonb_array_elements_text(threads) thread
    ), answered as materialized (
      select model, took::int as milliseconds
      from days, jsonb_to_recordset(latencies) as latency(model text, milliseconds jsonb),
        jsonb_array_elements(latency.milliseconds) took
    ), cited as materialized (
      select path, url, max(title) as title, max(heading) as heading, sum(citations) as citations
      from days, jsonb_to_recordset(cited) as source(path text, url text, title text, heading text, citations int)
      group by 1, 2
    ), searched as materialized (
      select query, sum(wording.searches) as searches, sum(wording.without) as "withoutResult"
      from days, jsonb_to_recordset(queries) as wording(query text, searches int, without int)
      group by 1
    )
    select ${list(sql`
      select start, outcome, cause, caller, "isQuestion", sum(count) as count
      from days, jsonb_to_recordset(messages)
        as counted(outcome text, cause text, caller text, "isQuestion" boolean, count int)
      group by 1, 2, 3, 4, 5
    `)} as messages, ${list(sql`
      select start, count(*) as count from asked group by start
      union all select null, count(distinct thread) from asked
    `)} as conversations, ${list(sql`
      select grouping(model) = 1 as "isAll", model, count(*) as answers,
        round(percentile_cont(0.5) within group (order by milliseconds)) as p50,
        round(percentile_cont(0.95) within group (order by milliseconds)) as p95
      from answered group by grouping sets ((model), ()) order by answers desc, model
    `)} as models, ${list(sql`
      select page, sum(questions) as questions
      from days, jsonb_to_recordset(asked_on) as place(page text, questions int)
      group by page order by questions desc, page limit ${limit}
    `)} as "askedOn", ${list(sql`
      select path, min(split_part(url, '#', 1)) as url, min(split_part(title, ' › ', 1)) as title,
        sum(citations) as citations
      from cited group by path order by citations desc, path limit ${limit}
    `)} as pages, ${list(sql`
      select path, url, title, heading, citations from cited order by citations desc, path, url limit ${limit}
    `)} as sections, ${list(sql`
      select start, rating, reason, sum(count) as count
      from days, jsonb_to_recordset(feedback) as rated(rating text, reason text, count int) group by 1, 2, 3
    `)} as feedback, ${list(sql`
      select start, caller, sum(count) as count, sum(without) as without
      from days, jsonb_to_recordset(searches) as found(caller text, count int, without int) group by 1, 2
    `)} as searches, ${list(sql`
      select query, searches, "withoutResult" from searched order by searches desc, query limit ${limit}
    `)} as queries, ${list(sql`
      select query, "withoutResult" as searches from searched where "withoutResult" > 0
      order by searches desc, query limit ${limit}
    `)} as "queriesWithoutResult"
  `.execute(db)
  const [read] = rows
  if (!read) throw new Error('a query without a row')
  return read
}

/** @param interval undefined: the whole range at once */
async function readUsage(
  db: Reader,
  projectId: string,
  { from, to }: Range,
  interval?: Interval,
): Promise<(ModelUse & { start: string })[]> {
  const [first, last] = [from, new Date(to.getTime() - 1)].map((time) => dayText(time))
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
