import { newId, randomText } from '../../lib/ids.ts'
import { createCitations } from './citations.ts'
import type { Frame } from './downgrade-frames.ts'
import { fallbackText } from './fallback-text.ts'
import { insertAnswer } from './messages.ts'
import type { Said } from './messages.ts'
import { judgeAnswer } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import type { AssistantDeps, AssistantProject } from './ports.ts'
import type { Question } from './question.ts'
import { instructionsFor, modelMessages, usableContext } from './prompt.ts'
import { createReply } from './reply.ts'
import type { Reply } from './reply.ts'
import { failureText, runModel } from './run-model.ts'
import { createLookup, createSearchTool } from './search-tool.ts'
import type { Lookup } from './search-tool.ts'
import { suggestQuestions } from './suggest-questions.ts'
import type { Thread } from './threads.ts'

export interface RecordedQuestion<Project extends AssistantProject> extends Question<Project> {
  history: Said[]
  thread: Thread
  n: number
}

const defaultDeadlines = { total: 180_000, step: 90_000 }
const longestAnswer = 100_000
const lateText = 'The answer took too long; try again, or ask for less at once'
const drainingText = 'The server is restarting; send the message again in a moment'

/** Answers a recorded question as frames, from `start` to `finish` or `error`, and records what became of it. */
export async function* streamAnswer<Project extends AssistantProject>(
  deps: AssistantDeps<Project>,
  input: RecordedQuestion<Project>,
): AsyncGenerator<Frame> {
  const id = newId('msg')
  const messageMetadata = { threadId: input.thread.id }
  const citations = createCitations(deps, input.project)
  const reply = createReply(citations.resolve)
  let outcome: Outcome = { outcome: 'stopped' }
  let failure: string | undefined
  try {
    yield { type: 'start', messageId: id, messageMetadata }
    const context = usableContext(input.context)
    const lookup = createLookup(deps, citations, { ...input, projectId: input.project.id, context })
    const deadlines = deps.deadlines ?? defaultDeadlines
    const late = AbortSignal.timeout(deadlines.total)
    const signal = AbortSignal.any([input.signal, late, ...(deps.draining ? [deps.draining] : [])])
    const chunks = runModel({
      model: deps.modelOf(input.project),
      instructions: instructionsFor(input.project.domain),
      messages: modelMessages(
        { ...input, context, question: input.question.text },
        `context-${randomText(16)}`,
      ),
      search: createSearchTool(lookup),
      signal,
      stepDeadline: deadlines.step,
      onError: deps.onError,
    })
    let gaveUp = false
    for await (const chunk of chunks) {
      if (chunk.type === 'error') failure = chunk.errorText
      else if (chunk.type === 'abort') gaveUp = true
      if (failure !== undefined || gaveUp) break
      yield* await reply.take(chunk)
      if (reply.text().length > longestAnswer) break
    }
    yield* await reply.close()
    if (input.signal.aborted) return
    if (deps.draining?.aborted) failure = drainingText
    else if (late.aborted || gaveUp) failure = lateText
    failure ??= yield* fillSilence(reply, lookup, () => fallbackText(citations), input.question.text)
    outcome =
      failure === undefined ? judgeAnswer(reply.sources().length, lookup.looked) : { outcome: 'failed' }
    if (outcome.outcome === 'answered') {
      const cited = new Set(reply.sources().map(({ url }) => url))
      const uncited = lookup.hits.filter((hit) => !cited.has(citations.urlOf(hit)))
      const suggestions = suggestQuestions(uncited, input.question.text)
      if (suggestions.length > 0) yield { type: 'data-suggestions', data: suggestions }
    }
  } catch (error) {
    deps.onError(error)
    outcome = { outcome: 'failed' }
    failure = failureText
  } finally {
    await record(deps, input, { id, text: reply.text(), sources: reply.sources(), outcome })
  }
  if (failure === undefined) yield { type: 'finish', messageMetadata }
  else yield { type: 'error', errorText: failure }
}

// A model that says nothing must not leave the reader with nothing.
async function* fillSilence(
  reply: Reply,
  lookup: Lookup,
  text: () => string,
  question: string,
): AsyncGenerator<Frame, string | undefined> {
  if (reply.spoke()) return undefined
  if (lookup.looked.searches === 0 && !lookup.failed) await lookup.run(question).catch(() => undefined)
  if (lookup.looked.searches === 0) return failureText
  yield* await reply.say(text())
  return undefined
}

// A store that fails now must not take the answer back that was given.
async function record<Project extends AssistantProject>(
  { store, onError }: AssistantDeps<Project>,
  { thread, n, question }: RecordedQuestion<Project>,
  answer: { id: string; text: string; sources: Awaited<ReturnType<Reply['sources']>>; outcome: Outcome },
): Promise<void> {
  try {
    const sources = answer.sources.map(({ path, url, title }) => ({ path, url, title }))
    await store.transaction((tx) => insertAnswer(tx, thread, n, { ...answer, fp: question.fp, sources }))
  } catch (error) {
    onError(error)
  }
}
