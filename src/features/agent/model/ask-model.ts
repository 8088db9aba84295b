import { generateText, stepCountIs } from 'ai'
import { endingSignal } from '../../../lib/ending-signal.ts'
import { AppError } from '../../../lib/errors.ts'
import { withTerms } from '../../../integrations/models/call-terms.ts'
import { patienceVariables } from '../../../integrations/models/patience.ts'
import type { ModelUsage } from '../../../integrations/models/model.ts'
import {
  describeTrouble,
  isContextOverflow,
  isOutage,
  passingTroubleOf,
} from '../../../integrations/models/model-trouble.ts'
import { ModelTrouble } from '../../../integrations/models/trouble.ts'
import { workedTooLong } from '../turns/budget.ts'
import { tokenBoundOf, estimateTokens } from './compact.ts'
import { conversation } from './conversation.ts'
import { isLanguageModel } from './reminders.ts'
import { readWrittenCalls } from './read-written-calls.ts'
import { readResponse } from './read-response.ts'
import { repairCall } from './repair-call.ts'
import type { StepResponse } from '../turns/steps.ts'
import { fitQuestion, type Asked, type Question } from './small-window.ts'
import { ModelAway, TurnFailure } from '../turns/turn-failure.ts'
import type { TurnRun } from '../turns/turn-run.ts'
import { unlessAborted } from '../../../lib/unless-aborted.ts'

export interface ModelAnswer {
  response: StepResponse
  /** The model that answered. */
  model: string
  usage: ModelUsage
  thinking: string | undefined
  /** Why another model than the job's answered. */
  trouble: string | undefined
}

export type { Question }

/** Asks the job's model or, during an outage, its fallback. @throws TurnFailure, ModelAway when waiting may help */
export async function askModel(run: TurnRun, question: Question): Promise<ModelAnswer> {
  const name = run.job.model
  try {
    return { ...(await askWithRoom(run, name, question)), trouble: undefined }
  } catch (error) {
    run.signal.throwIfAborted()
    const fallback = fallbackFor(run, error)
    const trouble = error instanceof TurnFailure ? '' : describe(error, name)
    if (fallback === undefined) throw failureOf(trouble, [error])
    try {
      return { ...(await askWithRoom(run, fallback, question)), trouble }
    } catch (second) {
      run.signal.throwIfAborted()
      if (second instanceof TurnFailure) throw second
      throw failureOf(`${trouble}; ${describe(second, fallback)}`, [error, second])
    }
  }
}

// The built-in model cannot be a fallback: it understands few prompts, and would end a job as if there were nothing
// to do.
function fallbackFor(run: TurnRun, error: unknown): string | undefined {
  if (!isOutage(error)) return undefined
  const { model } = run.job
  const fallback = run.ports.models.fallbackOf(model)
  return fallback === undefined || fallback === model || fallback === 'builtin' ? undefined : fallback
}

// A conversation that is too long for the model is sent once more, in half the tokens.
async function askWithRoom(
  run: TurnRun,
  name: string,
  question: Question,
): Promise<Omit<ModelAnswer, 'trouble'>> {
  const { steps } = question
  const { tokens: window } = await run.ports.models.readWindow(name)
  const bounds = steps.map(({ model, response }) => (model === name && response.bound) || Infinity)
  const bound = Math.min(tokenBoundOf(window), ...bounds)
  const since = Math.min(...bounds) === Infinity ? 0 : bounds.indexOf(bound)
  const fitting = fitQuestion(run.project, question, window, bound)
  try {
    return await askOnce(run, name, fitting, { bound, since })
  } catch (error) {
    run.signal.throwIfAborted()
    if (!isLanguageModel(name) || !isContextOverflow(error)) throw error
    const tokens = estimateTokens(conversation(fitting.question, name, bound, since))
    // The refusal may have told the window.
    const learnt = (await run.ports.models.readWindow(name)).tokens
    const half = Math.min(Math.round(Math.min(bound, tokens) / 2), tokenBoundOf(learnt))
    const less = fitQuestion(run.project, question, learnt, half)
    const { response, ...rest } = await askOnce(run, name, less, { bound: half, since: steps.length })
    return { ...rest, response: { ...response, bound: half } }
  }
}

async function askOnce(
  run: TurnRun,
  name: string,
  { question, system }: Asked,
  { bound, since }: { bound: number; since: number },
): Promise<Omit<ModelAnswer, 'trouble'>> {
  const { models } = run.ports
  const model = models.find(name, 'agent')
  // The patience begins with the turn. All jobs have one place between the readers.
  using _ = await run.idle(() => models.turns.take(name, 'jobs', { signal: run.signal }))
  const left = run.budget.work - run.worked()
  if (left <= 0) throw workedTooLong(run.budget)
  const patience = models.patienceOf(name).step
  using late = endingSignal({
    signals: [run.signal],
    milliseconds: patience,
    reason: () => lateAnswer(name, patience),
  })
  using over = endingSignal({
    signals: [late.signal],
    milliseconds: left,
    reason: () => workedTooLong(run.budget),
  })
  const { signal } = over
  const messages = conversation(question, name, bound, since)
  try {
    const result = await unlessAborted(signal, () =>
      generateText({
        model,
        system,
        messages,
        tools: question.tools,
        repairToolCall: repairCall,
        stopWhen: stepCountIs(1),
        abortSignal: signal,
        // The models retry themselves, according to each provider's rules.
        maxRetries: 0,
        providerOptions: withTerms({ patience }),
      }),
    )
    const { inputTokenDetails: details } = result.usage
    // Estimated when the provider reports no usage, so that limits still hold.
    const inputTokens = result.usage.inputTokens ?? estimateTokens(system) + estimateTokens(messages)
    const outputTokens = result.usage.outputTokens ?? estimateTokens(result.response.messages)
    const usedIds = question.steps.flatMap(({ response }) => response.calls.map(({ id }) => id))
    return {
      response: readResponse(result, (question.steps.at(-1)?.n ?? 0) + 1, usedIds, (text) =>
        isLanguageModel(name) ? readWrittenCalls(text, question) : undefined,
      ),
      model: name,
      usage: {
        inputTokens,
        cachedInputTokens: details.cacheReadTokens ?? 0,
        cacheWriteTokens: details.cacheWriteTokens ?? 0,
        outputTokens,
      },
      thinking: summaryOf(result.reasoningText ?? ''),
    }
  } catch (error) {
    run.signal.throwIfAborted()
    throw signal.aborted ? signal.reason : error
  }
}

function lateAnswer(name: string, patience: number): ModelTrouble {
  return new ModelTrouble(
    'timeout',
    `The model ${name} timed out after ${patience / 1000} s. Try again later, or raise ${patienceVariables.answer} if the model is slow`,
  )
}

/** @param errors of the models that were asked, in order */
function failureOf(message: string, errors: readonly unknown[]): TurnFailure {
  const cause = errors.at(-1)
  if (cause instanceof TurnFailure) return cause
  // One model that works again is enough.
  const passing = errors.flatMap((error) => passingTroubleOf(error) ?? [])
  const [first] = passing
  if (first === undefined) return new TurnFailure('model_error', message, { cause })
  const times = passing.flatMap(({ retryAt }) => retryAt?.getTime() ?? [])
  const retryAt = times.length < passing.length ? undefined : new Date(Math.min(...times))
  const { kind } = first
  const reason = kind === 'rate' ? 'rate_limit' : kind === 'overloaded' ? 'overloaded' : 'unreachable'
  return new ModelAway(message, { reason, retryAt, cause })
}

function describe(error: unknown, name: string): string {
  return error instanceof AppError ? error.message : describeTrouble(error, name)
}

const longestSummary = 300

// The first lines that are not empty.
function summaryOf(reasoning: string): string | undefined {
  const lines = reasoning
    .slice(0, 2000)
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
  const summary = lines
    .filter((line) => line !== '')
    .slice(0, 2)
    .join('\n')
  if (summary === '') return undefined
  return summary.length <= longestSummary
    ? summary
    : `${summary.slice(0, longestSummary - 1).toWellFormed()}…`
}
