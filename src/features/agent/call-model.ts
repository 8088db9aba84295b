import { generateText, stepCountIs } from 'ai'
import type { ModelMessage, TypedToolCall, ToolSet } from 'ai'
import { messageOf } from '../../lib/errors.ts'
import type { Model } from '../../integrations/models/model.ts'
import { insertStep } from './steps.ts'
import type { Step, StepResponse, ToolCall } from './steps.ts'
import { conversation } from './conversation.ts'
import { requireOpenTurn } from './end-turn.ts'
import { appendEvents } from './events.ts'
import { lockJob, updateJob } from './jobs.ts'
import { storableJson } from './storable-json.ts'
import { systemPrompt } from './system-prompt.ts'
import { TurnFailure, TurnLost } from './turn-failure.ts'
import { titleOf } from './title.ts'
import { updateTurn } from './turns.ts'
import type { TurnRow } from './turns.ts'
import type { StartedTurn, TurnRun } from './turn-run.ts'

/** One call of the model, committed before anything that it asks for is done. */
export async function callModel(
  run: TurnRun,
  turn: StartedTurn,
  input: { earlier: readonly TurnRow[]; steps: readonly Step[]; tools: ToolSet },
): Promise<Step> {
  const { response, usage } = await ask(run, turn, {
    tools: input.tools,
    messages: conversation(input.earlier, turn.row, input.steps),
  })
  const n = (input.steps.at(-1)?.n ?? 0) + 1
  await run.ports.store.transaction(async (tx) => {
    await lockJob(tx, run.job.id)
    const row = await requireOpenTurn(tx, turn.row.id)
    if (!(await insertStep(tx, row.id, n, response))) throw new TurnLost()
    await updateTurn(tx, row.id, {
      input_tokens: row.input_tokens + usage.inputTokens,
      output_tokens: row.output_tokens + usage.outputTokens,
    })
    await appendEvents(tx, run.job.id, row.n, [
      {
        type: 'step',
        data: {
          step: n,
          ...(response.text.trim() !== '' && { text: titleOf(response.text) }),
          tools: response.calls.map((call) => call.name.slice(0, 100)),
          ...usage,
        },
      },
    ])
    await updateJob(tx, run.job.id)
  })
  return { n, response, results: undefined }
}

async function ask(
  run: TurnRun,
  turn: StartedTurn,
  input: { messages: ModelMessage[]; tools: ToolSet },
): Promise<{ response: StepResponse; usage: { inputTokens: number; outputTokens: number } }> {
  const { limits } = run.ports
  const left = turn.startedAt.getTime() + limits.turn - Date.now()
  if (left <= 0) throw new TurnFailure('budget', `The turn took longer than ${limits.turn / 60_000} minutes`)
  const deadline = AbortSignal.timeout(Math.min(limits.call, left))
  const signal = AbortSignal.any([run.signal, deadline])
  try {
    const model: Model = run.ports.models.find(run.job.model)
    const result = await unlessAborted(signal, () =>
      generateText({
        model,
        system: systemPrompt(run.project),
        messages: input.messages,
        tools: input.tools,
        stopWhen: stepCountIs(1),
        abortSignal: signal,
      }),
    )
    const { messages } = result.response
    const response: StepResponse = {
      // The SDK answers invalid calls itself; all results are ours, and come from the journal.
      messages: messages.filter((message) => message.role === 'assistant'),
      text: result.text,
      calls: result.toolCalls.map(toCall),
    }
    const { inputTokens = 0, outputTokens = 0 } = result.usage
    // As it will be read back, so that a turn taken up again sees the very same.
    return { response: storableJson(response) as StepResponse, usage: { inputTokens, outputTokens } }
  } catch (error) {
    run.signal.throwIfAborted()
    if (deadline.aborted) {
      throw new TurnFailure('model_error', `The model ${run.job.model} did not answer in time: try again`, {
        cause: error,
      })
    }
    throw new TurnFailure(
      'model_error',
      `The model ${run.job.model} failed: ${messageOf(error).slice(0, 500)}`,
      { cause: error },
    )
  }
}

function toCall(call: TypedToolCall<ToolSet>): ToolCall {
  const invalid = 'invalid' in call && call.invalid === true
  return {
    id: call.toolCallId,
    name: call.toolName,
    input: call.input ?? {},
    invalid: invalid ? messageOf('error' in call ? call.error : undefined).slice(0, 500) : undefined,
  }
}

// A provider that does not listen to the signal must not hold up a cancelled turn.
async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work(), aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
