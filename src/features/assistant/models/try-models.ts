import { ToolChoiceViolationError } from 'ai'
import { endingSignal } from '../../../lib/ending-signal.ts'
import { randomText } from '../../../lib/ids.ts'
import { AppError, messageOf } from '../../../lib/errors.ts'
import {
  describeTrouble,
  isContextOverflow,
  isWithoutTools,
} from '../../../integrations/models/model-trouble.ts'
import { withImages } from '../attachments.ts'
import { linkOfResult, type Citations } from '../links/citations.ts'
import type { Frame } from '../streams/downgrade-frames.ts'
import { unanswered, type Outcome } from '../outcome.ts'
import type { AssistantPorts, AssistantProject, NamedModel } from '../ports.ts'
import { refusalText, refusedTopic } from '../guidance.ts'
import { concludeAnswer, concludeBuiltin } from './conclude-answer.ts'
import { confidenceFloor, weakFloor } from '../search/lookup.ts'
import { fitConversation, roomIn } from './fit-conversation.ts'
import { gatherMaterial } from './gather-material.ts'
import { instructionsFor, modelMessages, plainMessages, type Material } from './prompt.ts'
import { failureText, runModel, type Ending, type Run } from './run-model.ts'
import type { Reply } from '../reply.ts'
import { createSearchTool, createTools, type SearchCode } from './tools.ts'
import { deadlinesOf, type Trial } from './trial.ts'
import { watchModel } from './watch-model.ts'
import { sayPinned } from './say-pinned.ts'
import { isSlow, noteBeginning, noteWriting } from './slow-models.ts'
import { statusFrame, takeTurn } from './take-turn.ts'
import { isToolless, noteToolless } from './toolless-models.ts'
import { writeQueries, type WrittenQueries } from './write-queries.ts'
import { runWrittenCalls } from './written-calls/run-written-calls.ts'

/** Milliseconds that queries of a model are waited for. */
const longestWriting = 2500
/** Titles that a model which writes queries is shown: from few found ones it could not tell how the documentation speaks. */
const leastTitles = 40
const mostTitles = 50
const longestAnswer = 100_000
/** Milliseconds without a piece of an answer after which its reader is told that the model still reads. */
const slowFrom = 8000
const mostSteps = 4

const lateText = 'The answer took too long; try again, or ask for less at once'
const searchText = 'The documentation cannot be searched right now; try again in a moment'
const quotesOnly = 'so this answer only quotes the documentation.'
const unavailable = `The assistant's model is not available right now, ${quotesOnly}`
const silent = `The assistant's model gave no answer, ${quotesOnly}`
const declined = `The assistant's model declined to answer, ${quotesOnly}`
const cutShort = '(This answer reached the length limit.)'
const brokenOff = '(This answer was interrupted.)'

/**
 * Answers with the first model that can. A model that fails before its first text is followed by the next one, and
 * the built-in model comes last.
 * @returns what became of the answer, or the error to show where there is none
 */
export async function* tryModels<Project extends AssistantProject>(
  deps: AssistantPorts<Project>,
  project: Project,
  models: NamedModel[],
  trial: Trial,
): AsyncGenerator<Frame, Outcome | string> {
  const { reply, lookup, signal } = trial
  const topic = refusedTopic(trial.conversation.question, trial.guidance.refuse)
  const builtin = models.at(-1)
  const [best] = models
  const pinned = yield* sayPinned(deps, project, trial)
  if (pinned) return pinned
  // Nothing is looked up for a question that is refused anyway.
  if (topic !== undefined && models.length === 1) return yield* refuse(topic, reply)
  // Known by the time it is needed.
  if (best && best !== builtin) void windowOf(best)
  const material = yield* gatherMaterial(trial, trial.conversation, {
    floor: models.length > 1 ? weakFloor : confidenceFloor,
    writeQueries:
      best && best !== builtin && deps.writesQueries?.(project) && mayWrite(deps, best)
        ? (titles) => askForQueries(deps, project, best, trial, titles)
        : undefined,
  })
  let trouble: string | undefined
  let worked = 0
  for (const candidate of models) {
    if (lookup.down()) return searchText
    const last = candidate === builtin
    const left = deadlinesOf(candidate, trial).total - worked
    if (!last && (left <= 0 || trouble === silent || trouble === declined)) continue
    if (last && topic !== undefined) return yield* refuse(topic, reply)
    if (last && trouble !== undefined) yield* await reply.say(trouble)
    const turn = yield* turnOf(deps, candidate, trial)
    using _ = turn === 'none' ? undefined : turn
    if (signal.aborted) return stopped
    if (turn === 'none') {
      trouble = unavailable
      continue
    }
    const begun = performance.now()
    using working = endingSignal({ signals: [signal], ...(!last && { milliseconds: left }) })
    const { run, ending } = yield* attemptAsItTakes(deps, candidate, trial, async (room) =>
      runOf(
        deps,
        project,
        candidate,
        trial,
        { material, isBuiltin: last, room, window: last ? undefined : await windowOf(candidate) },
        working.signal,
      ),
    )
    worked += performance.now() - begun
    yield* await reply.close()
    if (signal.aborted) return stopped
    noteSpeed(deps, candidate, run)
    if (ending.kind === 'done' && reply.spoke()) {
      if (ending.reason === 'length') yield* await reply.say(cutShort)
      if (ending.reason === 'content-filter') yield* await reply.say(brokenOff)
      if (ending.reason === 'content-filter') return refused
      if (!last) trial.trouble = undefined
      if (!last)
        return yield* concludeAnswer(
          run,
          candidate,
          ending.reason === 'length' || isSlow(deps.streams, candidate.name) ? undefined : ending.written,
          trial,
        )
      const outcome = concludeBuiltin(ending.written, trial)
      const passages = trouble !== undefined && (yield* closestPassages(trial))
      if (trouble === declined) return refused
      return passages ? unanswered(lookup.looked) : outcome
    }
    if (lookup.down()) return searchText
    trial.trouble = troubleOf(candidate, run, ending)
    if (ending.kind === 'done') trouble = ending.reason === 'content-filter' ? declined : silent
    else if (reply.text() !== '') return ending.kind === 'failed' ? failureText : lateText
    else trouble = unavailable
  }
  return failureText
}

async function askForQueries<Project extends AssistantProject>(
  deps: AssistantPorts<Project>,
  { id, domain }: Project,
  writer: NamedModel,
  trial: Trial,
  found: string[],
): Promise<WrittenQueries> {
  const { name, turns } = writer
  const { conversation, used, signal, reader } = trial
  const deadlines = deadlinesOf(writer, trial)
  const onError = reporterOf(deps, name)
  const others = found.length < leastTitles ? ((await deps.someTitles?.(id).catch(onError)) ?? []) : []
  const titles = [...new Set([...found, ...others])].slice(0, mostTitles)
  const watched = watchModel(writer, deadlines, 'queries')
  used.push({ ...watched, name, task: 'queries' })
  using writing = endingSignal({ signals: [signal], milliseconds: deadlines.queries ?? longestWriting })
  using turn = await turns?.take(name, reader, { signal: writing.signal }).catch(() => undefined)
  if (turns && !turn) return []
  const queries = await writeQueries({
    watched,
    domain,
    conversation,
    titles,
    mark: newMark(),
    signal: writing.signal,
    onError,
  })
  if (!signal.aborted) noteWriting(deps.streams, name, writing.signal.aborted)
  // A model without tools could not search where it was wrong.
  return queries === 'none' && isToolless(deps.streams, name) ? [] : queries
}

/** Queries are left out where an answer would wait for them. */
function mayWrite({ streams }: Pick<AssistantPorts, 'streams'>, { name, turns }: NamedModel): boolean {
  return !isSlow(streams, name) && (turns?.isFree(name) ?? true)
}

/** The turn of this reader; `none` where it does not come. */
async function* turnOf(
  deps: Pick<AssistantPorts, 'onError'>,
  candidate: NamedModel,
  trial: Trial,
): AsyncGenerator<Frame, Disposable | undefined | 'none'> {
  try {
    return yield* takeTurn(candidate, trial)
  } catch (error) {
    if (trial.signal.aborted) return undefined
    reporterOf(deps, candidate.name)(error)
    trial.trouble = messageOf(error)
    return 'none'
  }
}

function noteSpeed(
  { streams }: Pick<AssistantPorts, 'streams'>,
  { name }: NamedModel,
  { watched }: Run,
): void {
  const [call] = watched.calls()
  if (call?.first !== undefined) noteBeginning(streams, name, call.first - call.begun)
}

/** Why a model gave no answer, for those who run it. */
function troubleOf({ name }: NamedModel, { watched }: Run, ending: Ending): string {
  if (ending.kind === 'done')
    return ending.reason === 'content-filter' ? `${name} declined to answer` : `${name} wrote no text`
  return describeTrouble(ending.kind === 'failed' ? ending.error : watched.late.reason, name)
}

function withWrittenCalls(candidate: NamedModel): NamedModel {
  return { ...candidate, model: runWrittenCalls(candidate.model) }
}

/** Tokens; undefined where it is not known. */
async function windowOf({ readWindow }: NamedModel): Promise<number | undefined> {
  return (await readWindow?.())?.tokens
}

function newMark(): string {
  return `context-${randomText(16)}`
}

function reporterOf({ onError }: Pick<AssistantPorts, 'onError'>, name: string): (error: unknown) => void {
  return (error) => onError(new AppError('unavailable', describeTrouble(error, name), { cause: error }))
}

// Hosted models are told the topics; the built-in one reads no instructions.
async function* refuse(topic: string, reply: Reply): AsyncGenerator<Frame, Outcome> {
  yield* await reply.say(refusalText(topic))
  return refused
}

const stopped: Outcome = { outcome: 'stopped' }
const refused: Outcome = { outcome: 'refused' }

function runOf<Project extends AssistantProject>(
  deps: AssistantPorts<Project>,
  project: Project,
  candidate: NamedModel,
  trial: Trial,
  {
    material,
    isBuiltin,
    room,
    window,
  }: { material: Material; isBuiltin: boolean; room: Less; window: number | undefined },
  signal: AbortSignal,
): Run {
  const { name } = candidate
  const { conversation, guidance, lookup } = trial
  const mark = newMark()
  const instructions = instructionsFor(project.domain, guidance)
  const fit = roomIn(window, instructions)
  const tools = isToolless(deps.streams, name)
    ? {}
    : createTools(lookup, fit?.lookups ?? Infinity, codeSearchOf(deps, project, trial, signal))
  const less = halved(material, room)
  const fitting = fit ? fitConversation(conversation, less, fit) : { conversation, material: less }
  return {
    watched: watchModel(isBuiltin ? candidate : withWrittenCalls(candidate), deadlinesOf(candidate, trial)),
    instructions,
    messages: isBuiltin
      ? plainMessages(
          conversation,
          material,
          { below: lookup.nearest(), ...lookup.factsOf(material.search?.query ?? '') },
          mark,
        )
      : withImages(modelMessages(fitting.conversation, fitting.material, mark), conversation.images),
    tools: isBuiltin ? createSearchTool(lookup) : tools,
    steps: isToolless(deps.streams, name) ? 1 : mostSteps,
    mostOutput: room === 'all' ? undefined : leastOutput,
    signal,
    onError: (error) =>
      deps.onError(new AppError('unavailable', describeTrouble(error, name), { cause: error })),
  }
}

function codeSearchOf<Project extends AssistantProject>(
  { searchCode }: AssistantPorts<Project>,
  project: Project,
  { citations }: Trial,
  signal: AbortSignal,
): SearchCode | undefined {
  const search = searchCode?.(project)
  return (
    search &&
    (async (query) =>
      (await search(query, signal)).map((hit) => ({
        ...hit,
        url: hit.url && citations.allow({ url: hit.url, path: hit.place, title: hit.place }),
      })))
  )
}

/** What is tried where a model's window turns out to be smaller than was known. */
type Less = (typeof attempts)[number]
const attempts = ['all', 'short answer', 'half of the results'] as const
/** Tokens of an answer, where its usual room and the request together are more than the model's window. */
const leastOutput = 1000

function halved(material: Material, room: Less): Material {
  if (room !== 'half of the results' || !material.search) return material
  const { results } = material.search
  return {
    page: undefined,
    search: { ...material.search, results: results.slice(0, Math.ceil(results.length / 2)) },
  }
}

/**
 * Asks a model once more where it says nothing, without tools where it takes none, and for less where its window is too
 * small.
 */
async function* attemptAsItTakes(
  deps: Pick<AssistantPorts, 'streams'>,
  candidate: NamedModel,
  trial: Trial,
  runWith: (room: Less) => Promise<Run>,
): AsyncGenerator<Frame, { run: Run; ending: Ending }> {
  const left = [...attempts]
  let wasSilent = false
  for (;;) {
    const run = await runWith(left[0] ?? 'half of the results')
    const ending = yield* attempt(run, candidate, trial)
    if (trial.reply.text() !== '') return { run, ending }
    if (ending.kind === 'done' && ending.reason !== 'content-filter' && !wasSilent) {
      wasSilent = true
      continue
    }
    if (ending.kind !== 'failed') return { run, ending }
    if (ToolChoiceViolationError.isInstance(ending.error)) {
      // Some servers let a model call tools when it must not.
      const watched = watchModel(withWrittenCalls(candidate), deadlinesOf(candidate, trial))
      const last = { ...run, watched, tools: {}, steps: 1 }
      return { run, ending: yield* attempt(last, candidate, trial) }
    }
    const isNews = isWithoutTools(ending.error) && !isToolless(deps.streams, candidate.name)
    if (isNews) noteToolless(deps.streams, candidate.name)
    else if (isContextOverflow(ending.error) && left.length > 1) left.shift()
    else return { run, ending }
  }
}

async function* attempt(
  run: Run,
  { name }: NamedModel,
  { lookup, reply, used }: Trial,
): AsyncGenerator<Frame, Ending> {
  used.push({ ...run.watched, name, task: 'answer' })
  const chunks = runModel(run)
  const slow = Promise.withResolvers<undefined>()
  const slowTimer = setTimeout(() => slow.resolve(undefined), slowFrom)
  try {
    let next = chunks.next()
    if ((await Promise.race([next, slow.promise])) === undefined) yield statusFrame({ state: 'reading' })
    for (;;) {
      const { done, value } = await next
      if (done === true) {
        if (value.kind === 'late') run.onError(run.watched.late.reason)
        return value
      }
      yield* await reply.take(value)
      if (lookup.down()) return { kind: 'failed' }
      if (reply.text().length > longestAnswer) return { kind: 'done', reason: 'length', written: undefined }
      next = chunks.next()
    }
  } finally {
    clearTimeout(slowTimer)
    await chunks.return({ kind: 'aborted' })
  }
}

// The built-in model may find no answer. A client that waits for a failed model's answer then gets the closest
// passages.
async function* closestPassages({ citations, lookup, reply }: Trial): AsyncGenerator<Frame, boolean> {
  if (reply.sources().length > 0 || lookup.hits.length === 0) return false
  yield* await reply.say(fallbackText(citations))
  return true
}

const mostPassages = 3
const longestPassage = 400

/** The text for a model that wrote nothing: the passages that were found, or that there are none. */
function fallbackText(citations: Citations): string {
  const results = citations.results().slice(0, mostPassages)
  if (results.length === 0) return 'I couldn’t find an answer in the docs.'
  const passages = results.map((result) => {
    const { title, url } = linkOfResult(result)
    const text = result.content.replaceAll(/\s+/g, ' ').trim()
    const passage = text.length > longestPassage ? `${text.slice(0, longestPassage).toWellFormed()} …` : text
    return `- [${title.replaceAll(/[[\]\\]/g, '')}](${url}): ${passage}`
  })
  return `These sections are the closest match:\n\n${passages.join('\n')}`
}
