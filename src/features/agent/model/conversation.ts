import type { AssistantModelMessage, ModelMessage, ToolResultPart } from 'ai'
import { readModelName } from '../../../integrations/models/model-name.ts'
import { compact, estimateTokens } from './compact.ts'
import { printOutput } from '../tools/print-output.ts'
import { isLanguageModel } from './reminders.ts'
import { shortInput, shortOutput } from './shorten.ts'
import type { Step, ToolOutput } from '../turns/steps.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { describeMaterial } from './describe-material.ts'
import type { TurnRow } from '../turns.ts'

export interface TurnHistory {
  earlier: readonly TurnRow[]
  turn: Pick<TurnRow, 'prompt' | 'material'>
  steps: readonly Step[]
}

/**
 * The messages for the model: earlier turns as prompt and outcome, and this turn in full as far as it fits into
 * `bound` tokens. Otherwise old results and long inputs are left out, the oldest first, but never prompts and the
 * newest steps. Made from the journal alone.
 * @param boundSince the first step that was made with this bound
 */
export function conversation(
  { earlier, turn, steps }: TurnHistory,
  model: string,
  bound: number,
  boundSince = 0,
): ModelMessage[] {
  const messages: ModelMessage[] = earlier.flatMap((row) => [
    { role: 'user', content: row.prompt },
    { role: 'assistant', content: outcomeOf(row) },
  ])
  const bounded = isLanguageModel(model)
  const material = bounded ? describeMaterial(turn.material) : undefined
  if (material !== undefined) messages.push({ role: 'user', content: material })
  messages.push({ role: 'user', content: turn.prompt })
  const { short, dropped, since } = bounded
    ? compact(steps, estimateTokens(messages), bound)
    : { short: 0, dropped: 0, since: 0 }
  const thinking = bindsReasoning(model) ? Math.max(since, boundSince) : 0
  if (dropped > 0) messages.push({ role: 'user', content: describeDropped(steps.slice(0, dropped)) })
  for (const [index, step] of steps.entries()) {
    if (index < dropped) continue
    const isShort = index < short
    messages.push(
      ...answerOf(step, {
        fromOtherModel: step.model !== model,
        short: isShort,
        dropReasoning: index < thinking,
      }),
    )
    const { outputs = [], nudge } = step.results ?? {}
    if (outputs.length > 0) {
      const most = isShort ? 0 : bounded ? bound * shareOfOne : Infinity
      const print = bounded ? printOutput : (output: unknown) => JSON.stringify(output)
      messages.push({
        role: 'tool',
        content: fit(step, outputs, most).map((output) => resultPart(output, print)),
      })
    }
    if (nudge !== undefined) messages.push({ role: 'user', content: nudge })
  }
  return messages
}

/** The share of the bound that the results of one answer may take: a model may ask for a dozen files at once. */
const shareOfOne = 0.4

type AnswerPart = Exclude<AssistantModelMessage['content'], string>[number]

const mostPaths = 100

function describeDropped(steps: readonly Step[]): string {
  const inputs = steps
    .filter(({ results }) => results?.changed === true)
    .flatMap(({ response }) => response.calls.map(({ input }) => input))
  const paths = new Set(
    inputs.flatMap((input) => (isRecord(input) && typeof input['path'] === 'string' ? input['path'] : [])),
  )
  const list = [...paths].slice(-mostPaths).map((path) => JSON.stringify(path.slice(0, 200)))
  const changed = list.length === 0 ? '' : ` The files that they changed: ${list.join(', ')}.`
  return `[Your first ${steps.length} steps are left out here.${changed}]`
}

const longestOutcome = 8000

function outcomeOf(turn: TurnRow): string {
  if (turn.failure) return `(This was not done: ${turn.failure.message})`
  return turn.summary?.slice(0, longestOutcome) || '(Done.)'
}

/**
 * Anthropic rejects a reasoning block when anything before it differs from the original conversation. Reasoning
 * that is sent back must also not precede the change.
 */
function bindsReasoning(model: string): boolean {
  return readModelName(model)?.provider === 'anthropic'
}

interface HistoryForm {
  /** The answer came from another model. */
  fromOtherModel: boolean
  short: boolean
  /** Reasoning is left out, because the conversation before the answer has changed since. */
  dropReasoning: boolean
}

// Some providers reject an answer without text and calls, so it is left out.
function answerOf({ response }: Step, form: HistoryForm): ModelMessage[] {
  if (response.calls.length === 0 && response.text.trim() === '') return []
  if (!form.fromOtherModel && !form.short && !form.dropReasoning) return response.messages
  return response.messages.flatMap((message) => rewrite(message, form))
}

// Reasoning and provider options mean nothing to another model, which may reject them.
function rewrite(
  message: AssistantModelMessage,
  { fromOtherModel, short, dropReasoning }: HistoryForm,
): AssistantModelMessage[] {
  if (typeof message.content === 'string') return [message]
  const content = message.content.flatMap((part): AnswerPart[] => {
    if (part.type === 'reasoning' && dropReasoning) return []
    if (part.type !== 'text' && part.type !== 'tool-call') return fromOtherModel ? [] : [part]
    const { providerOptions, ...plain } = part
    // An empty text was only kept for its provider options.
    if (fromOtherModel && plain.type === 'text' && plain.text.trim() === '') return []
    const kept = fromOtherModel || providerOptions === undefined ? plain : { ...plain, providerOptions }
    return [short && kept.type === 'tool-call' ? { ...kept, input: shortInput(kept.input) } : kept]
  })
  return content.length === 0 ? [] : [{ role: 'assistant', content }]
}

// Shortens the last results once all of them together are too long.
function fit(step: Step, outputs: readonly ToolOutput[], most: number): ToolOutput[] {
  let total = 0
  return outputs.map((output) => {
    if (most === Infinity) return output
    total += estimateTokens(output.output)
    if (total <= most) return output
    const input = step.response.calls.find((call) => call.id === output.id)?.input
    return { ...output, output: shortOutput(output.name, input, output.output) }
  })
}

// The journal keeps values, which the built-in model reads as JSON. A language model reads them as plain text.
function resultPart(
  { id, name, output, note }: ToolOutput,
  print: (output: unknown) => string,
): ToolResultPart {
  const text = typeof output === 'string' ? output : print(output)
  return {
    type: 'tool-result',
    toolCallId: id,
    toolName: name,
    output: { type: 'text', value: note === undefined ? text : `${text}\n\n${note}` },
  }
}
