import { newId } from '../../lib/ids.ts'
import { findStoreTrouble, outlastTrouble } from '../../store/store-trouble.ts'
import { addUsage } from '../../store/usage.ts'
import type { Allowance } from './allowance.ts'
import { createCitations } from './citations.ts'
import type { Frame } from './downgrade-frames.ts'
import type { SafeLink } from './links/inline.ts'
import { createLookup } from './lookup.ts'
import { insertAnswer } from './messages.ts'
import type { Said } from './messages.ts'
import { judgeAnswer } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import type { AssistantDeps, AssistantProject } from './ports.ts'
import type { Question } from './question.ts'
import { usableContext } from './prompt.ts'
import { createReply } from './reply.ts'
import { failureText } from './run-model.ts'
import { suggestQuestions } from './suggest-questions.ts'
import type { Thread } from './threads.ts'
import { tryModels } from './try-models.ts'
import type { Trial } from './try-models.ts'

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
  deps: AssistantDeps<Project>,
  input: RecordedQuestion<Project>,
): AsyncGenerator<Frame> {
  const { project, question } = input
  const id = newId('msg')
  const messageMetadata = { threadId: input.thread.id }
  const context = usableContext(input.context)
  const citations = createCitations(deps, project)
  const reply = createReply(citations.resolve)
  const lookup = createLookup(deps, citations, { ...input, context })
  const signal = deps.draining ? AbortSignal.any([input.signal, deps.draining]) : input.signal
  const conversation = { ...input, context, question: question.text }
  const trial: Trial = { conversation, citations, lookup, reply, signal, used: [] }
  let outcome: Outcome = { outcome: 'stopped' }
  let failure: string | undefined
  try {
    yield { type: 'start', messageId: id, messageMetadata }
    const models = deps.modelsOf(project)
    failure = yield* tryModels(deps, project, input.allowance ? models : models.slice(-1), trial)
    if (input.signal.aborted) return
    if (deps.draining?.aborted) failure = drainingText
    outcome =
      failure === undefined ? judgeAnswer(reply.sources().length, lookup.looked) : { outcome: 'failed' }
    if (outcome.outcome === 'answered') {
      const cited = new Set(reply.sources().map(({ url }) => url))
      const uncited = lookup.hits.filter((hit) => !cited.has(citations.urlOf(hit)))
      const suggestions = suggestQuestions(uncited, question.text)
      if (suggestions.length > 0) yield { type: 'data-suggestions', data: suggestions }
    }
  } catch (error) {
    deps.onError(error)
    outcome = { outcome: 'failed' }
    failure = failureText
  } finally {
    await record(deps, input, trial, { id, text: reply.text(), sources: reply.sources(), outcome })
  }
  if (failure === undefined) yield { type: 'finish', messageMetadata }
  else yield { type: 'error', errorText: failure }
}

/** Milliseconds for which an answer is kept that cannot be written down. */
const keptFor = 600_000

// A store that fails now must not take the answer back that was given; nobody waits for one that is away.
async function record<Project extends AssistantProject>(
  { store, onError, costOf, draining }: AssistantDeps<Project>,
  { project, thread, n, question, allowance }: RecordedQuestion<Project>,
  { used }: Trial,
  answer: { id: string; text: string; sources: SafeLink[]; outcome: Outcome },
): Promise<void> {
  const sources = answer.sources.map(({ path, url, title }) => ({ path, url, title }))
  const write = (): Promise<void> =>
    store.transaction(async (tx) => {
      await allowance?.giveBack(tx)
      await insertAnswer(tx, thread, n, { ...answer, fp: question.fp, sources })
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
