import { messageOf } from '../../../lib/errors.ts'
import { within } from '../../../lib/within.ts'
import type { Frame } from '../streams/downgrade-frames.ts'
import type { Found, Lookup } from '../search/lookup.ts'
import { planSearch, withQueries, type SearchPlan } from '../search/plan-search.ts'
import type { Reply } from '../reply.ts'
import type { Conversation, Material } from './prompt.ts'

/** Milliseconds that a model which writes queries waits for titles. */
const longestForTitles = 100

interface Gathering {
  /** Confidence below which results are not shown. */
  floor: number
  /**
   * Has a model write queries for the same question, which is shown titles that the first search found; never rejects.
   * Undefined where none is asked.
   */
  writeQueries: ((titles: string[]) => Promise<string[]>) | undefined
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
  const run = (): Promise<Found | string> =>
    search(lookup, plan, floor, writeQueries).catch((error: unknown) => messageOf(error))
  // A model's queries take the most time, so they come before anything is sent.
  const begun = writeQueries && run()
  const call = { toolCallId: 'first-search', toolName: 'search' }
  yield* await reply.take({ type: 'start-step' })
  yield* await reply.take({ type: 'tool-input-available', ...call, input: { query: plan.query } })
  const output = await (begun ?? run())
  if (typeof output === 'string')
    yield* await reply.take({ type: 'tool-output-error', ...call, errorText: output })
  else yield* await reply.take({ type: 'tool-output-available', ...call, output })
  yield* await reply.take({ type: 'finish-step' })
  if (typeof output === 'string') return { page: await page, search: undefined }
  return {
    page: await page,
    search: { query: plan.query, ...output, confidence: lookup.confidenceIn(plan.query) },
  }
}

async function search(
  lookup: Lookup,
  plan: SearchPlan,
  floor: number,
  writeQueries: Gathering['writeQueries'],
): ReturnType<Lookup['search']> {
  if (!writeQueries) return lookup.search(plan, floor)
  // The literal searches are done when the queries come, and not repeated.
  const literal = lookup.prepare(plan)
  const titles = await within(longestForTitles, literal, () => [])
  const queries = await writeQueries(titles)
  await literal
  return lookup.search(withQueries(plan, queries), floor)
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
