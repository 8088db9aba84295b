import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { resolveProject, type CommandContext } from '../command-context.ts'
import { keepNewest } from '../../lib/keep-newest.ts'
import { citedSource, exchange } from '../../nouns/insights/answers.ts'
import { readAnswer, type Answer } from '../read-answer.ts'

export interface CaseFilter {
  project?: string
  from?: string
  to?: string
  outcome?: string
  rating?: string
  limit: number
}

/** Sources have the place on their page too. */
const exportedExchange = exchange.extend({
  sources: z.array(citedSource.extend({ anchor: z.string().optional() })),
})
type Exchange = Answer<typeof exportedExchange>

const longestQuestion = 2000
const mostHistory = 6
/** Outcomes from which nothing can be learned about answers. */
const skipped = new Set(['greeting', 'clarified', 'failed', 'stopped'])

/**
 * Makes a case of each recorded question, as lines of JSON, the oldest first. What is expected is what the answer cited,
 * or that there is none: a person has to check it, so each case is marked.
 */
export async function writeCases(
  context: CommandContext,
  { project, limit, ...filter }: CaseFilter,
): Promise<string[]> {
  const { id } = await resolveProject(context, project)
  const query = new URLSearchParams()
  for (const name of ['from', 'to', 'outcome', 'rating'] as const) {
    const value = filter[name]
    if (value !== undefined) query.set(name, value)
  }
  const { body } = await context.request('GET', `/v2/insights/${id}/export?${query.toString()}`)
  if (body === null) return []
  const cases = new Map<string, object>()
  const threads = new Map<string, Exchange[]>()
  for await (const line of createInterface({ input: Readable.fromWeb(body), crlfDelay: Infinity })) {
    if (line.trim() === '') continue
    const one = readAnswer(exportedExchange, JSON.parse(line), 'with a line of the export')
    const before = threads.get(one.threadId) ?? []
    const kept = before.filter(({ n }) => one.replaces === null || n < one.replaces)
    threads.set(one.threadId, [...kept, one].slice(-mostHistory))
    const oneCase = caseOf(one, kept)
    if (!oneCase) continue
    const key = JSON.stringify([
      oneCase.question.toLowerCase().replaceAll(/\s+/g, ' '),
      oneCase.history ?? [],
    ])
    // Asked again, the newest answer counts.
    keepNewest(cases, limit, key, oneCase)
  }
  return [...cases.values()].map((one) => `${JSON.stringify(one)}\n`)
}

function caseOf(one: Exchange, before: readonly Exchange[]) {
  const question = one.question.trim()
  // Nothing is known of an answer that is not there, and projects that keep no texts have no questions.
  if (
    question === '' ||
    question.length > longestQuestion ||
    one.outcome === null ||
    skipped.has(one.outcome)
  )
    return undefined
  const isUnanswered = one.outcome === 'unanswered' || one.outcome === 'refused'
  // Nobody knows whether the nearest passages are those that were wanted.
  const cited = isUnanswered || one.outcome === 'uncited' || one.outcome === 'weak' ? [] : one.sources
  const sections = cited.map(({ path, anchor = '' }) => `${path}#${anchor}`)
  const history = before.flatMap((said) => [
    ...(said.question === '' ? [] : [{ role: 'user', text: said.question }]),
    ...(said.answer ? [{ role: 'assistant', text: said.answer }] : []),
  ])
  return {
    question,
    ...(isUnanswered ? { unanswerable: true } : {}),
    ...(sections.length > 0 ? { sections } : {}),
    ...(history.length > 0 ? { history } : {}),
    ...(one.page === null || one.page === '' ? {} : { path: one.page }),
    review: reviewOf(one),
  }
}

function reviewOf({ outcome, cause, pinned, feedback }: Exchange): string {
  const rated = feedback.map(({ rating, reason, note }) =>
    [`rated ${rating}`, reason, note].filter((part) => part !== null && part !== '').join(': '),
  )
  return [
    [outcome, cause, pinned && 'pinned answer'].filter((part) => part !== null).join(', '),
    ...rated,
  ].join('; ')
}
