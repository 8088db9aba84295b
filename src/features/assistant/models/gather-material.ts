import { messageOf } from '../../../lib/errors.ts'
import { within } from '../../../lib/within.ts'
import type { Frame } from '../streams/downgrade-frames.ts'
import type { Found, Lookup } from '../search/lookup.ts'
import { planSearch, withQueries, type SearchPlan } from '../search/plan-search.ts'
import { isInvolved, isWeak } from '../search/worth-writing.ts'
import type { Reply } from '../reply.ts'
import type { Conversation, Material } from './prompt.ts'
import type { WrittenQueries } from './write-queries.ts'

/** Milliseconds that a model which writes queries waits for titles. */
const longestForTitles = 100

interface Gathering {
  /** Confidence below which results are not shown. */
  floor: number
  /**
   * Has a model write queries for the same question, which is shown titles that the first search found; `none` where
   * there is nothing to look up. Never rejects. Undefined where none is asked.
   */
  writeQueries: ((titles: string[]) => Promise<WrittenQueries>) | undefined
}

/**
 * Runs the first search, whose results the model gets with its first call. Clients see it like any other search. A
 * model's queries are waited for, and those of the plan stand in for them.
 */
export async function* gatherMaterial(
  { lookup, reply }: { lookup: Lookup; reply: Reply },
  conversation: Conversation,
  { floor, writeQueries }: Gathering,
): AsyncGenerator<Frame, Material> {
  const plan = planSearch(conversation)
  const page = readPage(lookup, conversation.currentPath, plan)
  // A greeting has no subject, and a search for it would only count as a gap.
  if (!plan) return { page: await page, search: undefined }
  // A model's queries take the most time, so they come before anything is sent.
  const wider = writeQueries ? await widen(lookup, conversation.question, plan, writeQueries) : plan
  if (wider === 'none') return { page: await page, search: undefined }
  const call = { toolCallId: 'first-search', toolName: 'search' }
  yield* await reply.take({ type: 'start-step' })
  yield* await reply.take({ type: 'tool-input-available', ...call, input: { query: plan.query } })
  const output = await lookup.search(wider, floor).catch((error: unknown): Found | string => messageOf(error))
  if (typeof output === 'string')
    yield* await reply.take({ type: 'tool-output-error', ...call, errorText: output })
  else yield* await reply.take({ type: 'tool-output-available', ...call, output })
  yield* await reply.take({ type: 'finish-step' })
  if (typeof output === 'string') return { page: await page, search: undefined }
  const resultUrls = new Set(output.results.map(({ url }) => url))
  const own = await page
  return {
    // What the search found of the reader's page is shown once.
    page: own && { ...own, sections: own.sections.filter(({ url }) => !resultUrls.has(url)) },
    search: { query: plan.query, ...output, confidence: lookup.confidenceIn(plan.query) },
  }
}

/**
 * The plan with the queries of a model, where they may find what the question's own words do not: otherwise the answer
 * begins without them. The literal searches are done by then, and not repeated.
 */
async function widen(
  lookup: Lookup,
  question: string,
  plan: SearchPlan,
  writeQueries: NonNullable<Gathering['writeQueries']>,
): Promise<SearchPlan | 'none'> {
  const literal = lookup.prepare(plan)
  const early = isInvolved(question, plan)
  const prepared = await (early ? within(longestForTitles, literal, () => undefined) : literal)
  if (!early && (prepared === undefined || !isWeak(prepared))) return plan
  const queries = await writeQueries(prepared?.titles ?? [])
  await literal
  return queries === 'none' ? 'none' : withQueries(plan, queries)
}

// The page helps, but an answer is possible without it.
async function readPage(
  lookup: Lookup,
  path: string | undefined,
  plan: SearchPlan | undefined,
): Promise<Material['page']> {
  if (path === undefined || path === '') return undefined
  return lookup.readersPage(path, plan).catch(() => undefined)
}
