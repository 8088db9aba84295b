import { endingSignal } from '../../lib/ending-signal.ts'
import { newId } from '../../lib/ids.ts'
import { findStoreTrouble, outlastTrouble } from '../../store/store-trouble.ts'
import { addUsage } from '../../store/usage.ts'
import type { Allowance } from './allowance.ts'
import { readAttachments } from './attachments.ts'
import { reportCheck } from './check.ts'
import { createCitations, linkOfResult } from './links/citations.ts'
import { contactAfter, contactText, refusedTopic } from './guidance.ts'
import type { Frame } from './streams/downgrade-frames.ts'
import { citedWords } from './links/cited-words.ts'
import { createLookup } from './search/lookup.ts'
import { insertAnswer, type Said } from './threads/messages.ts'
import type { Outcome } from './outcome.ts'
import type { AssistantPorts, AssistantProject, NamedModel } from './ports.ts'
import type { Contact } from '../../site/guidance.ts'
import { isEnglish } from './models/conclude-answer.ts'
import type { Question } from './question.ts'
import { usableContext } from './models/prompt.ts'
import { createReply, type Reply } from './reply.ts'
import { failureText } from './models/run-model.ts'
import type { Trial } from './models/trial.ts'
import { tryModels } from './models/try-models.ts'
import { suggestQuestions } from './suggestions/suggest-questions.ts'
import type { Thread } from './threads/threads.ts'
import { createTracer } from './trace.ts'

export interface RecordedQuestion<Project extends AssistantProject> extends Question<Project> {
  history: Said[]
  thread: Thread
  n: number
  models: NamedModel[]
  /** Undefined: the built-in model alone may answer. */
  allowance: Allowance | undefined
}

const drainingText = 'The server is restarting; send the message again in a moment'

/** Answers a recorded question as frames, from `start` to `finish` or `error`, and records what became of it. */
export async function* streamAnswer<Project extends AssistantProject>(
  ports: AssistantPorts<Project>,
  input: RecordedQuestion<Project>,
): AsyncGenerator<Frame> {
  const { project, question } = input
  const id = newId('msg')
  const begun = performance.now()
  const messageMetadata = { threadId: input.thread.id }
  const models = input.allowance ? input.models : input.models.slice(-1)
  const takesImages = models.length > 1 && ports.takesImages(project)
  const { images, note, ...attached } = readAttachments(input.attachments ?? [], takesImages)
  const context = usableContext([...input.context, ...attached.context])
  const citations = createCitations(ports, project, input.filter?.groups)
  const tracer = input.check?.trace === true ? createTracer(citations) : undefined
  const onError = (error: unknown): void => {
    // That this server stops is no trouble of a model.
    if (isStop(error, ports.draining)) return
    tracer?.problem(error)
    ports.onError(error)
  }
  const deps = { ...ports, onError }
  const lookup = createLookup(deps, citations, { ...input, context, isForModel: models.length > 1 }, tracer)
  const reply = createReply(citations.resolve, tracer?.text, (n) => {
    // Each search and the reader's page number their results from one on.
    const isSure = lookup.looked.searches === 1 && !input.currentPath
    const result = isSure ? citations.results()[n - 1] : undefined
    return result && linkOfResult(result)
  })
  using answering = endingSignal({ signals: [input.signal, deps.draining] })
  const { signal } = answering
  const conversation = { ...input, context, images, question: question.text }
  const tokens = input.allowance?.tokens
  const guidance = deps.guidanceOf?.(project) ?? {}
  const trial: Trial = {
    conversation,
    citations,
    lookup,
    reply,
    guidance,
    deadlines: deps.deadlines,
    reader: `${project.id} ${question.fp}`,
    tokens,
    signal,
    used: [],
    ...(models.length < input.models.length && { trouble: 'the project has used its tokens of the day' }),
  }
  let outcome: Outcome = { outcome: 'stopped' }
  let failure: string | undefined
  let contact: Contact | undefined
  let last: string | undefined
  try {
    yield { type: 'start', messageId: id, messageMetadata }
    if (note !== undefined) yield* sayApart('docwright-note', note)
    const result = yield* tryModels(deps, project, models, trial)
    if (input.signal.aborted) return
    if (typeof result === 'string') failure = result
    if (deps.draining?.aborted) failure = drainingText
    outcome = failure !== undefined || typeof result === 'string' ? { outcome: 'failed' } : result
    contact = contactAfter(outcome.outcome, question.text, guidance.contact)
    if (contact) {
      last = contactText(contact, isEnglish(`${question.text} ${reply.text()}`))
      yield* sayApart('docwright-contact', last)
    }
    if (outcome.outcome === 'answered' || outcome.outcome === 'partial') {
      const cited = new Set(reply.sources().map(({ url }) => url))
      const uncited = lookup.hits.filter((hit) => !cited.has(citations.urlOf(hit)))
      const best = Math.max(0, ...lookup.hits.map(({ score }) => score))
      const suggestions = suggestQuestions(uncited, best, question.text).filter(
        (one) => refusedTopic(one, guidance.refuse) === undefined,
      )
      if (suggestions.length > 0) yield { type: 'data-suggestions', data: suggestions }
    }
  } catch (error) {
    deps.onError(error)
    outcome = { outcome: 'failed' }
    failure = failureText
  } finally {
    const milliseconds = Math.round(performance.now() - begun)
    const recording = record(deps, input, trial, { id, around: { note, last }, outcome, milliseconds })
    // A server that stops has few turns left, and readers need them to learn that it does.
    if (deps.draining?.aborted && deps.unfinished) deps.unfinished.add(recording)
    else await recording
  }
  if (tracer) yield { type: 'data-trace', data: tracer.end(deps, trial.used, !input.allowance) }
  const marked = {
    ...messageMetadata,
    outcome: outcome.outcome,
    ...(outcome.pinned !== undefined && { pinned: outcome.pinned }),
    ...(contact && { contact }),
    ...(input.check && {
      check: await reportCheck(deps, project, {
        outcome,
        milliseconds: Math.round(performance.now() - begun),
        model: trial.used.at(-1)?.name,
        calls: callsOf(deps, trial),
        links: reply.sources(),
        words: wordsOfLinks(reply, outcome, reply.text()),
      }),
    }),
  }
  if (failure === undefined) yield { type: 'finish', messageMetadata: marked }
  else yield { type: 'error', errorText: failure }
}

function isStop(error: unknown, draining: AbortSignal | undefined): boolean {
  if (!draining?.aborted) return false
  const { reason } = draining
  return error === reason || (error instanceof Error && error.cause === reason)
}

/** A step of its own with a text that belongs to no model's answer. */
function* sayApart(id: string, text: string): Generator<Frame> {
  yield { type: 'start-step' }
  yield { type: 'text-start', id }
  yield { type: 'text-delta', id, delta: text }
  yield { type: 'text-end', id }
  yield { type: 'finish-step' }
}

/** Texts of the assistant before and after a model's answer. */
interface Around {
  note: string | undefined
  last: string | undefined
}

/** Milliseconds for which an answer is kept that cannot be recorded. */
const keptFor = 600_000

// A failing store must not affect an answer that was already given, and nothing waits for a store that is away.
async function record<Project extends AssistantProject>(
  deps: AssistantPorts<Project>,
  { project, thread, n, question, allowance }: RecordedQuestion<Project>,
  trial: Trial,
  { around, ...answer }: { id: string; around: Around; outcome: Outcome; milliseconds: number },
): Promise<void> {
  const { store, onError, revisionsOf, draining } = deps
  const { reply, used } = trial
  const text = [around.note ?? [], reply.text(), around.last ?? []].flat().join('\n\n')
  const links = reply.sources()
  const words = wordsOfLinks(reply, answer.outcome, text)
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
      await insertAnswer(tx, thread, n, {
        ...answer,
        text,
        fp: question.fp,
        sources,
        model,
        trouble: trial.trouble,
      })
      await addUsage(tx, project.id, 'assistant', callsOf(deps, trial))
    })
  try {
    await write()
  } catch (error) {
    onError(error)
    if (findStoreTrouble(error)) writeLater(write, draining).catch(onError)
  }
}

async function writeLater(write: () => Promise<void>, draining: AbortSignal | undefined): Promise<void> {
  using keeping = endingSignal({ signals: [draining], milliseconds: keptFor })
  await outlastTrouble(keeping.signal, write)
}

function callsOf({ costOf }: Pick<AssistantPorts, 'costOf'>, { used }: Trial) {
  return used.flatMap(({ name, usage }) =>
    usage().map((call) => ({ model: name, usage: call, cost: costOf(name, call) })),
  )
}

// The links of a reply without an answer are the nearest pages, which stand for no words.
function wordsOfLinks(reply: Reply, { outcome }: Outcome, text: string): Map<string, string[]> {
  const stands = outcome === 'unanswered' || outcome === 'uncited' ? [] : reply.sources()
  return citedWords(text, new Set(stands.map(({ url }) => url)))
}
