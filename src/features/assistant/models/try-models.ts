import { randomText } from '../../../lib/ids.ts'
import { AppError } from '../../../lib/errors.ts'
import { describeTrouble } from '../../../integrations/models/model-trouble.ts'
import { linkOfResult, type Citations } from '../citations.ts'
import type { Frame } from '../downgrade-frames.ts'
import { gatherMaterial } from './gather-material.ts'
import { confidenceFloor, weakFloor, type Lookup } from '../lookup.ts'
import type { AssistantPorts, AssistantProject, Deadlines, NamedModel } from '../ports.ts'
import { instructionsFor, modelMessages, plainMessages, type Conversation, type Material } from './prompt.ts'
import type { Reply } from '../reply.ts'
import { failureText, runModel, type Ending } from './run-model.ts'
import { createTools } from './tools.ts'
import { watchModel, type WatchedModel } from './watch-model.ts'
import { writeQueries } from './write-queries.ts'

export interface Trial {
  conversation: Conversation
  citations: Citations
  lookup: Lookup
  reply: Reply
  /** Aborted when the client has left, or the server stops. */
  signal: AbortSignal
  /** The models that were called; this function adds to it. */
  used: { name: string; usage: WatchedModel['usage'] }[]
}

const defaultDeadlines: Deadlines = { firstToken: 30_000, call: 90_000, total: 180_000 }
/** Milliseconds that queries of a model are waited for. */
const longestWriting = 2500
const longestAnswer = 100_000

const lateText = 'The answer took too long; try again, or ask for less at once'
const searchText = 'The documentation cannot be searched right now; try again in a moment'
const quotesOnly = 'so this answer only quotes the documentation.'
const unavailable = `The assistant's model is not available right now, ${quotesOnly}`
const silent = `The assistant's model gave no answer, ${quotesOnly}`
const declined = `The assistant's model declined to answer, ${quotesOnly}`
const cutShort = '(This answer was cut off because it became too long.)'
const brokenOff = '(The model broke this answer off.)'

/**
 * Answers with the first model that can. A model that fails before its first text is followed by the next one, and
 * the built-in model comes last.
 * @returns the error to show where there is no answer
 */
export async function* tryModels<Project extends AssistantProject>(
  deps: AssistantPorts<Project>,
  project: Project,
  models: NamedModel[],
  trial: Trial,
): AsyncGenerator<Frame, string | undefined> {
  const { reply, lookup, signal } = trial
  const total = AbortSignal.timeout((deps.deadlines ?? defaultDeadlines).total)
  const builtin = models.at(-1)
  const [best] = models
  const material = yield* gatherMaterial(trial, trial.conversation, {
    floor: models.length > 1 ? weakFloor : confidenceFloor,
    writeQueries:
      best && best !== builtin && deps.writesQueries?.(project)
        ? () => askForQueries(deps, project, best, trial)
        : undefined,
  })
  let trouble: string | undefined
  for (const candidate of models) {
    if (lookup.down()) return searchText
    const last = candidate === builtin
    if (!last && (total.aborted || trouble === silent || trouble === declined)) continue
    if (last && trouble !== undefined) yield* await reply.say(trouble)
    const ending = yield* attempt(
      deps,
      project,
      candidate,
      trial,
      { material, isBuiltin: last },
      last ? signal : AbortSignal.any([signal, total]),
    )
    yield* await reply.close()
    if (signal.aborted) return undefined
    if (ending.kind === 'done' && reply.spoke()) {
      if (ending.reason === 'length') yield* await reply.say(cutShort)
      if (ending.reason === 'content-filter') yield* await reply.say(brokenOff)
      if (last && trouble !== undefined) yield* closestPassages(trial)
      return undefined
    }
    if (lookup.down()) return searchText
    if (ending.kind === 'done') trouble = ending.reason === 'content-filter' ? declined : silent
    else if (reply.text() !== '') return ending.kind === 'failed' ? failureText : lateText
    else trouble = unavailable
  }
  return failureText
}

function askForQueries<Project extends AssistantProject>(
  deps: AssistantPorts<Project>,
  { domain }: Project,
  { name, model }: NamedModel,
  { conversation, used, signal }: Trial,
): Promise<string[]> {
  const deadlines = deps.deadlines ?? defaultDeadlines
  const watched = watchModel(model, deadlines)
  used.push({ name, usage: watched.usage })
  return writeQueries({
    watched,
    domain,
    conversation,
    mark: newMark(),
    signal: AbortSignal.any([signal, AbortSignal.timeout(deadlines.queries ?? longestWriting)]),
    onError: reporterOf(deps, name),
  })
}

function newMark(): string {
  return `context-${randomText(16)}`
}

function reporterOf({ onError }: Pick<AssistantPorts, 'onError'>, name: string): (error: unknown) => void {
  return (error) => onError(new AppError('unavailable', describeTrouble(error, name), { cause: error }))
}

async function* attempt<Project extends AssistantProject>(
  deps: AssistantPorts<Project>,
  { domain }: Project,
  { name, model }: NamedModel,
  { conversation, lookup, reply, used }: Trial,
  { material, isBuiltin }: { material: Material; isBuiltin: boolean },
  signal: AbortSignal,
): AsyncGenerator<Frame, Ending> {
  const watched = watchModel(model, deps.deadlines ?? defaultDeadlines)
  used.push({ name, usage: watched.usage })
  const report = reporterOf(deps, name)
  const run = runModel({
    watched,
    instructions: instructionsFor(domain),
    messages: (isBuiltin ? plainMessages : modelMessages)(conversation, material, newMark()),
    tools: isBuiltin ? {} : createTools(lookup),
    signal,
    onError: report,
  })
  try {
    for (;;) {
      const { done, value } = await run.next()
      if (done === true) {
        if (value.kind === 'late') report(watched.late.reason)
        return value
      }
      yield* await reply.take(value)
      if (lookup.down()) return { kind: 'failed' }
      if (reply.text().length > longestAnswer) return { kind: 'done', reason: 'length' }
    }
  } finally {
    await run.return({ kind: 'aborted' })
  }
}

// The built-in model may find no answer. A client that waits for a failed model's answer then gets the closest
// passages.
async function* closestPassages({ citations, lookup, reply }: Trial): AsyncGenerator<Frame> {
  if (reply.sources().length === 0 && lookup.hits.length > 0) yield* await reply.say(fallbackText(citations))
}

const mostPassages = 3
const longestPassage = 400

/** The text for a model that wrote nothing: the passages that were found, or that there are none. */
function fallbackText(citations: Citations): string {
  const results = citations.results().slice(0, mostPassages)
  if (results.length === 0) return 'The documentation does not seem to cover this.'
  const passages = results.map((result) => {
    const { title, url } = linkOfResult(result)
    const text = result.content.replaceAll(/\s+/g, ' ').trim()
    const passage = text.length > longestPassage ? `${text.slice(0, longestPassage).toWellFormed()} …` : text
    return `- [${title.replaceAll(/[[\]\\]/g, '')}](${url}): ${passage}`
  })
  return `These passages of the documentation come closest:\n\n${passages.join('\n')}`
}
