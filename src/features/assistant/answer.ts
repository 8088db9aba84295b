import { newId } from '../../lib/ids.ts'
import { findStoreTrouble, outlastTrouble } from '../../store/store-trouble.ts'
import { addUsage } from '../../store/usage.ts'
import type { Allowance } from './allowance.ts'
import { readAttachments } from './attachments.ts'
import { createCitations } from './citations.ts'
import type { Frame } from './downgrade-frames.ts'
import type { SafeLink } from './links/inline.ts'
import { createLookup } from './lookup.ts'
import { insertAnswer, type Said } from './messages.ts'
import { judgeAnswer, type Outcome } from './outcome.ts'
import type { AssistantPorts, AssistantProject, SearchHit } from './ports.ts'
import type { Question } from './question.ts'
import { usableContext } from './models/prompt.ts'
import { createReply } from './reply.ts'
import { failureText } from './models/run-model.ts'
import type { Thread } from './threads.ts'
import { tryModels, type Trial } from './models/try-models.ts'

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
  const models = input.allowance ? deps.modelsOf(project) : deps.modelsOf(project).slice(-1)
  const takesImages = models.length > 1 && deps.takesImages(project)
  const { images, note, ...attached } = readAttachments(input.attachments ?? [], takesImages)
  const context = usableContext([...input.context, ...attached.context])
  const citations = createCitations(deps, project)
  const reply = createReply(citations.resolve)
  const lookup = createLookup(deps, citations, { ...input, context })
  const signal = deps.draining ? AbortSignal.any([input.signal, deps.draining]) : input.signal
  const conversation = { ...input, context, images, question: question.text }
  const trial: Trial = { conversation, citations, lookup, reply, signal, used: [] }
  let outcome: Outcome = { outcome: 'stopped' }
  let failure: string | undefined
  try {
    yield { type: 'start', messageId: id, messageMetadata }
    if (note !== undefined) yield* sayApart(note)
    failure = yield* tryModels(deps, project, models, trial)
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
    const milliseconds = Math.round(performance.now() - begun)
    const text = [note ?? [], reply.text()].flat().join('\n\n')
    const answer = { id, text, sources: reply.sources(), outcome, milliseconds }
    await record(deps, input, trial, answer)
  }
  if (failure === undefined) yield { type: 'finish', messageMetadata }
  else yield { type: 'error', errorText: failure }
}

/** A step of its own with a text that belongs to no model's answer. */
function* sayApart(text: string): Generator<Frame> {
  const id = 'docwright-note'
  yield { type: 'start-step' }
  yield { type: 'text-start', id }
  yield { type: 'text-delta', id, delta: text }
  yield { type: 'text-end', id }
  yield { type: 'finish-step' }
}

/** Milliseconds for which an answer is kept that cannot be recorded. */
const keptFor = 600_000

// A failing store must not affect an answer that was already given, and nothing waits for a store that is away.
async function record<Project extends AssistantProject>(
  { store, onError, costOf, draining }: AssistantPorts<Project>,
  { project, thread, n, question, allowance }: RecordedQuestion<Project>,
  { used }: Trial,
  answer: { id: string; text: string; sources: SafeLink[]; outcome: Outcome; milliseconds: number },
): Promise<void> {
  const sources = answer.sources.map(({ path, url, title }) => ({ path, url, title }))
  const write = (): Promise<void> =>
    store.transaction(async (tx) => {
      await allowance?.giveBack(tx)
      await insertAnswer(tx, thread, n, { ...answer, fp: question.fp, sources, model: used.at(-1)?.name })
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

const most = 3
const verbs = new Set(
  `add allow authenticate avoid build call change check choose configure connect convert create customize debug define delete
  deploy disable enable export find fix get handle host import install integrate manage migrate move open publish read
  remove rename replace run secure send serve set show start stop test track troubleshoot update upgrade use verify write`.split(
    /\s+/,
  ),
)
const commonplace =
  /^(?:overview|introduction|next steps?|see also|notes?|examples?|summary|related.*|conclusion|step \d.*)$/i

/**
 * Up to three questions that the retrieved pages answer and that were not asked, from their headings.
 * @param hits those that the answer did not cite
 */
export function suggestQuestions(hits: SearchHit[], asked: string): string[] {
  const said = asked.toLowerCase()
  const questions = new Set<string>()
  const names = hits.flatMap((hit) => (hit.heading ? [{ hit, name: hit.heading }] : []))
  names.push(...hits.map((hit) => ({ hit, name: hit.title })))
  for (const { hit, name } of names) {
    // Among nested headings, the innermost one tells most.
    const text = (name.split(' – ').at(-1) ?? '').replaceAll(/[`*_[\]<>]/g, '').trim()
    if (text.length < 2 || text.length > 80 || commonplace.test(text)) continue
    if (significant(text).every((word) => said.includes(word))) continue
    questions.add(asQuestion(text, hit.language))
    if (questions.size === most) break
  }
  return [...questions]
}

function significant(text: string): string[] {
  const words = text.toLowerCase().split(/[\s,.:;()/]+/)
  const long = words.filter((word) => word.length > 2 || /[^\p{ASCII}]/u.test(word))
  return long.length > 0 ? long : words
}

function asQuestion(name: string, language: string | undefined): string {
  if (/[?？]$/.test(name)) return name
  const foreign = (language !== undefined && !/^en\b/i.test(language)) || /[^\p{ASCII}\p{P}\p{S}]/u.test(name)
  if (foreign) return `${name}?`
  const [first = '', ...others] = name.split(' ')
  if (verbs.has(first.toLowerCase())) return `How do I ${[first.toLowerCase(), ...others].join(' ')}?`
  if (/^when$/i.test(first)) return `What happens ${[first.toLowerCase(), ...others].join(' ')}?`
  if (/^(?:how|what|why|where|which|who)$/i.test(first)) return `${name}?`
  return `What should I know about ${JSON.stringify(name)}?`
}
