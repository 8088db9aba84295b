import { newId } from '../../lib/ids.ts'
import { findStoreTrouble, outlastTrouble } from '../../store/store-trouble.ts'
import { addUsage } from '../../store/usage.ts'
import type { Allowance } from './allowance.ts'
import { createCitations } from './citations.ts'
import type { Frame } from './downgrade-frames.ts'
import { citedWords } from './links/cited-words.ts'
import { createLookup } from './lookup.ts'
import { insertAnswer, type Said } from './messages.ts'
import type { Outcome } from './outcome.ts'
import type { AssistantPorts, AssistantProject } from './ports.ts'
import type { Question } from './question.ts'
import { usableContext } from './models/prompt.ts'
import { createReply } from './reply.ts'
import { failureText } from './models/run-model.ts'
import { defaultDeadlines, type Trial } from './models/trial.ts'
import { tryModels } from './models/try-models.ts'
import { suggestQuestions } from './suggest-questions.ts'
import type { Thread } from './threads.ts'

export interface RecordedQuestion<Project extends AssistantProject> extends Question<Project> {
  history: Said[]
  thread: Thread
  n: number
  /** Undefined: the built-in model alone may answer. */
  allowance: Allowance | undefined
}

const drainingText = 'The server is restarting; send the message again in a moment'

/** Answers a recorded question as frames, from `start` to `finish` or `error`, and records what became of it. */
export async function* streamAnswer<Project extends AssistantProject>(
  deps: AssistantPorts<Project>,
  input: RecordedQuestion<Project>,
): AsyncGenerator<Frame> {
  const { project, question } = input
  const id = newId('msg')
  const begun = performance.now()
  const messageMetadata = { threadId: input.thread.id }
  const context = usableContext(input.context)
  const citations = createCitations(deps, project)
  const reply = createReply(citations.resolve)
  const lookup = createLookup(deps, citations, { ...input, context })
  const signal = deps.draining ? AbortSignal.any([input.signal, deps.draining]) : input.signal
  const conversation = { ...input, context, question: question.text }
  const { deadlines = defaultDeadlines } = deps
  const tokens = input.allowance?.tokens
  const trial: Trial = { conversation, citations, lookup, reply, deadlines, tokens, signal, used: [] }
  let outcome: Outcome = { outcome: 'stopped' }
  let failure: string | undefined
  try {
    yield { type: 'start', messageId: id, messageMetadata }
    const models = deps.modelsOf(project)
    const result = yield* tryModels(deps, project, input.allowance ? models : models.slice(-1), trial)
    if (input.signal.aborted) return
    if (typeof result === 'string') failure = result
    if (deps.draining?.aborted) failure = drainingText
    outcome = failure !== undefined || typeof result === 'string' ? { outcome: 'failed' } : result
    if (outcome.outcome === 'answered' || outcome.outcome === 'partial') {
      const cited = new Set(reply.sources().map(({ url }) => url))
      const uncited = lookup.hits.filter((hit) => !cited.has(citations.urlOf(hit)))
      const best = Math.max(0, ...lookup.hits.map(({ score }) => score))
      const suggestions = suggestQuestions(uncited, best, question.text)
      if (suggestions.length > 0) yield { type: 'data-suggestions', data: suggestions }
    }
  } catch (error) {
    deps.onError(error)
    outcome = { outcome: 'failed' }
    failure = failureText
  } finally {
    const milliseconds = Math.round(performance.now() - begun)
    await record(deps, input, trial, { id, outcome, milliseconds })
  }
  const marked = { ...messageMetadata, outcome: outcome.outcome }
  if (failure === undefined) yield { type: 'finish', messageMetadata: marked }
  else yield { type: 'error', errorText: failure }
}

/** Milliseconds for which an answer is kept that cannot be recorded. */
const keptFor = 600_000

// A failing store must not affect an answer that was already given, and nothing waits for a store that is away.
async function record<Project extends AssistantProject>(
  { store, onError, costOf, revisionsOf, draining }: AssistantPorts<Project>,
  { project, thread, n, question, allowance }: RecordedQuestion<Project>,
  { reply, used }: Trial,
  answer: { id: string; outcome: Outcome; milliseconds: number },
): Promise<void> {
  const text = reply.text()
  const links = reply.sources()
  const { outcome } = answer.outcome
  // The links of a reply without an answer are the nearest pages, which stand for no words.
  const stands = outcome === 'unanswered' || outcome === 'uncited' ? [] : links
  const words = citedWords(text, new Set(stands.map(({ url }) => url)))
  const write = (): Promise<void> =>
    store.transaction(async (tx) => {
      await allowance?.giveBack(tx)
      const paths = [...new Set(links.map(({ path }) => path))]
      const revisions = paths.length === 0 ? undefined : await revisionsOf(tx, project.id, paths)
      const sources = links.map((link) => ({
        ...link,
        revision: revisions?.get(link.path),
        words: words.get(link.url) ?? [],
      }))
      const model = used.at(-1)?.name
      await insertAnswer(tx, thread, n, { ...answer, text, fp: question.fp, sources, model })
      const calls = used.flatMap(({ name, usage }) =>
        usage().map((call) => ({ model: name, usage: call, cost: costOf(name, call) })),
      )
      await addUsage(tx, project.id, 'assistant', calls)
    })
  try {
    await write()
  } catch (error) {
    onError(error)
    const late = AbortSignal.timeout(keptFor)
    const signal = draining ? AbortSignal.any([draining, late]) : late
    if (findStoreTrouble(error)) outlastTrouble(signal, write).catch(onError)
  }
}
