import { tool, zodSchema, jsonSchema, generateText, stepCountIs, type ToolSet } from 'ai'
import { tokenBoundOf } from '../../features/agent/model/compact.ts'
import { conversation } from '../../features/agent/model/conversation.ts'
import { openingOf } from '../../features/agent/model/opening.ts'
import { readResponse } from '../../features/agent/model/read-response.ts'
import { fitQuestion, type Question } from '../../features/agent/model/small-window.ts'
import type { Step } from '../../features/agent/turns/steps.ts'
import { describeTools } from '../../features/agent/tools/create-tools.ts'
import type { Result } from '../../features/assistant/links/citations.ts'
import { instructionsFor, modelMessages } from '../../features/assistant/models/prompt.ts'
import { runModel } from '../../features/assistant/models/run-model.ts'
import { createTools } from '../../features/assistant/models/tools.ts'
import { watchModel } from '../../features/assistant/models/watch-model.ts'
import { withTerms } from '../../integrations/models/call-terms.ts'
import type { Models, ModelWindow } from '../../integrations/models/model.ts'
import type { ModelWork } from '../../integrations/models/offered-model.ts'
import { describeTrouble, isWithoutTools as refusesTools } from '../../integrations/models/model-trouble.ts'
import { patienceVariables } from '../../integrations/models/patience.ts'
import { endingSignal } from '../../lib/ending-signal.ts'
import { AppError } from '../../lib/errors.ts'
import { randomText } from '../../lib/ids.ts'

/** What a model turned out to be good for. */
export interface TriedModel {
  /** Sentences for people, without a full stop at the end. */
  text: string
  isSlow: boolean
}

/**
 * Sends a model what is really sent: the call for an answer with its results and limits, a job's first call with all tools,
 * and the call after a tool's result.
 * @param work what the model is for
 * @throws AppError `unavailable` that says what cannot work, and why
 */
export async function tryModel(models: Models, name: string, work: ModelWork): Promise<TriedModel> {
  const window = await models.readWindow(name)
  const parts = [describeWindow(window)]
  const slow: string[] = []
  const { firstText, step } = models.patienceOf(name)
  let reading: number | undefined
  let isWithoutTools = false
  if (work.answers) {
    const answer = await tryAnswer(models, name)
    reading = answer.reading
    isWithoutTools = answer.isWithoutTools
    parts.push(describeAnswer(answer), ...(isWithoutTools ? [withoutTools] : []))
    if (answer.first > slowFrom)
      slow.push(
        `The first word takes ${seconds(answer.first)}, and the server waits up to ${seconds(firstText)} for it`,
      )
  }
  if (work.jobs) {
    const job = await tryJob(models, name, window).catch((error: unknown) => {
      if (!work.answers || !(error instanceof AppError)) throw error
      const readers = isWithoutTools ? withoutTools : 'It answers readers'
      throw new AppError('unavailable', `${error.message}. ${readers}`, { cause: error.cause })
    })
    parts.push(
      `A job’s first call with ${job.tools} tools took ${seconds(job.first)}, the next one with a result ${seconds(job.second)}`,
    )
    const longest = reading === undefined ? 0 : (tokenBoundOf(window.tokens) / reading) * 1000
    if (Math.max(longest, job.first, job.second) > step)
      slow.push(
        `A step of a long job may take ${seconds(longest)}, and the server waits up to ${seconds(step)} for it: raise ${patienceVariables.answer}`,
      )
  }
  return { text: [...parts, ...slow].join('. '), isSlow: slow.length > 0 }
}

const withoutTools = 'It doesn’t accept tools, so readers get answers from the first results only'

/** Milliseconds until the first word from which readers notice. */
const slowFrom = 15_000

interface TriedAnswer {
  /** Milliseconds. */
  first: number
  tokens: number
  /** Tokens in a second; undefined where it was too fast or too short to tell. */
  reading: number | undefined
  writing: number | undefined
  isWithoutTools: boolean
}

/** Like an answer: once more without tools where the model takes none. */
async function tryAnswer(models: Models, name: string): Promise<TriedAnswer> {
  try {
    return await tryAnswerWith(models, name, true)
  } catch (error) {
    if (!(error instanceof AppError) || !refusesTools(error.cause)) throw error
    return tryAnswerWith(models, name, false)
  }
}

async function tryAnswerWith(models: Models, name: string, hasTools: boolean): Promise<TriedAnswer> {
  const { firstText, answer } = models.patienceOf(name)
  using watched = watchModel({ name, model: models.find(name) }, { firstToken: firstText, call: answer })
  using working = endingSignal({ milliseconds: 2 * answer })
  let text = ''
  const run = runModel({
    watched,
    // Nothing of it is in a server's cache.
    instructions: instructionsFor(`trial-${randomText(8)}`),
    messages: modelMessages(
      { history: [], question: tried.question, currentPath: undefined, context: [], images: [] },
      { page: undefined, search: { query: 'install', results, confidence: 1 } },
      `context-${randomText(16)}`,
    ),
    tools: hasTools ? createTools(lookup, Infinity) : {},
    steps: hasTools ? 2 : 1,
    signal: working.signal,
    onError: () => undefined,
  })
  for (;;) {
    const { done, value } = await run.next()
    if (done !== true) {
      if (value.type === 'text-delta') text += value.delta
      continue
    }
    if (value.kind === 'done') break
    const error = value.kind === 'failed' ? value.error : watched.late.reason
    throw cannot('answer readers', describeTrouble(error, name), error)
  }
  if (text.trim() === '') throw cannot('answer readers', `${name} ended its answer without a word`)
  const [call] = watched.calls()
  const { inputTokens = 0, outputTokens = 0 } = call?.usage ?? {}
  const first = (call?.first ?? call?.ended ?? 0) - (call?.begun ?? 0)
  const wrote = (call?.ended ?? 0) - (call?.first ?? 0)
  return {
    first,
    tokens: inputTokens,
    reading: first >= 50 ? (inputTokens / first) * 1000 : undefined,
    writing: wrote >= 50 && outputTokens >= 5 ? (outputTokens / wrote) * 1000 : undefined,
    isWithoutTools: !hasTools,
  }
}

const lookup: Parameters<typeof createTools>[0] = {
  search: () => Promise.resolve({ results }),
  confidenceIn: () => 1,
  repeatsIn: () => [],
  readPage: () => Promise.reject(new AppError('not_found', 'Page not found')),
  placesOn: () => [],
}

const project = { root: 'docs', framework: undefined, settings: { contextRepositories: [] } }

async function tryJob(
  models: Models,
  name: string,
  { tokens: window }: ModelWindow,
): Promise<{ tools: number; first: number; second: number }> {
  const described = describeTools([])
  const tools: ToolSet = Object.fromEntries(
    described.map(({ name: of, description, inputSchema }) => [
      of,
      tool({ description, inputSchema: jsonSchema(zodSchema(inputSchema).jsonSchema) }),
    ]),
  )
  const overview = `Trial ${randomText(8)}: the pages are docs/index.mdx (Home) and docs/install.mdx (Install).`
  const ask = async (steps: Step[]) => {
    const question: Question = {
      opening: openingOf(new Date(), overview, null),
      earlier: [],
      turn: {
        prompt: 'Call the tool read_file with the path docs/index.mdx now, and nothing else.',
        material: null,
      },
      steps,
      tools,
      instructions: { rules: [], template: undefined },
    }
    const bound = tokenBoundOf(window)
    const request = fitQuestion(project, question, window, bound)
    const patience = models.patienceOf(name).step
    using working = endingSignal({ milliseconds: patience })
    const begun = performance.now()
    const result = await generateText({
      model: models.find(name),
      system: request.system,
      messages: conversation(request.question, name, bound),
      tools: request.question.tools,
      stopWhen: stepCountIs(1),
      maxRetries: 0,
      abortSignal: working.signal,
      providerOptions: withTerms({ patience }),
    }).catch((error: unknown) => {
      const why = working.signal.aborted
        ? `${name} did not answer within ${seconds(patience)}: raise ${patienceVariables.answer} if it is only slow`
        : describeTrouble(error, name)
      throw cannot(steps.length === 0 ? 'work on jobs' : 'read the result of a tool in jobs', why, error)
    })
    const response = readResponse(result, steps.length + 1, [])
    return {
      response,
      tools: Object.keys(request.question.tools).length,
      milliseconds: performance.now() - begun,
    }
  }
  const first = await ask([])
  const [call] = first.response.calls
  if (!call)
    throw cannot(
      'work on jobs',
      `${name} answers, but in text where it should call a tool: choose a model that can call tools, or turn it on in its server`,
    )
  const output = '1\t# Home\n2\tWelcome to the documentation.'
  const second = await ask([
    {
      n: 1,
      response: first.response,
      model: name,
      usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
      cost: undefined,
      results: { outputs: first.response.calls.map(({ id, name: of }) => ({ id, name: of, output })) },
    },
  ])
  return { tools: first.tools, first: first.milliseconds, second: second.milliseconds }
}

function cannot(what: string, why: string, cause?: unknown): AppError {
  return new AppError('unavailable', `It cannot ${what}. ${why}`, { cause })
}

function describeWindow({ tokens, source }: ModelWindow): string {
  if (tokens === undefined) return 'The size of its context window is not known'
  const from = {
    setting: 'set by you',
    server: 'as its server says',
    trial: 'as a call has shown',
    list: 'as its vendor says',
    assumed: 'which is assumed, because its server does not say',
    unknown: '',
  }[source]
  return `Its context window has ${tokens.toLocaleString('en')} tokens, ${from}`
}

function describeAnswer({ first, tokens, reading, writing }: TriedAnswer): string {
  const speeds = [
    ...(reading === undefined ? [] : [`reads ${perSecond(reading)}`]),
    ...(writing === undefined ? [] : [`writes ${perSecond(writing)}`]),
  ]
  const speed = speeds.length === 0 ? '' : `It ${speeds.join(' and ')} tokens per second. `
  return `${speed}An answer began after ${seconds(first)}, with ${tokens.toLocaleString('en')} tokens to read`
}

function perSecond(speed: number): string {
  return Math.round(speed).toLocaleString('en')
}

function seconds(milliseconds: number): string {
  const value = milliseconds / 1000
  return `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en')} s`
}

/** As long as what a usual question finds. */
const tried = {
  question: 'How do I install it on Linux? Answer in three sentences from the results.',
  section:
    'Download the package for your system and check its signature before you unpack it. The program needs no other software, and runs as a user of its own with a folder for its data. Set the address at which people reach it, and the key with which it signs. ',
}
const results: Result[] = Array.from({ length: 8 }, (_, n) => ({
  path: `install-${n + 1}`,
  url: `https://docs.example.com/install-${n + 1}`,
  title: `Install, part ${n + 1}`,
  heading: 'On Linux',
  content: tried.section.repeat(6),
  metadata: { title: `Install, part ${n + 1}`, description: '', file: `docs/install-${n + 1}.mdx` },
}))
