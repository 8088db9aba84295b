import type { AssistantModelMessage, ModelMessage, ToolResultPart } from 'ai'
import { readModelName } from '../../../integrations/models/model-name.ts'
import {
  compact,
  estimateTokens,
  isWrittenBy,
  pieceName,
  roomOfEach,
  shareOfOne,
  shownInput,
  usualOverhead,
} from './compact.ts'
import { printOutput } from '../tools/calls/print-output.ts'
import { isLanguageModel } from './reminders.ts'
import { shortOutput } from './shorten.ts'
import type { Step, ToolOutput } from '../turns/steps.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { describeMaterial } from './describe-material.ts'
import type { TurnRow } from '../turns.ts'

export interface TurnHistory {
  /** What the conversation of a language model begins with. */
  opening?: string | undefined
  earlier: readonly TurnRow[]
  turn: Pick<TurnRow, 'prompt' | 'material'>
  /** What the last turn had planned. */
  plan?: string | undefined
  steps: readonly Step[]
  /** Where the window is small, what stands before the conversation is counted, and long results are cut. */
  small?: { overhead: number } | undefined
}

/**
 * The messages for the model: earlier turns as prompt and outcome, and this turn in full as far as it fits into
 * `bound` tokens. Otherwise old results and long inputs are left out, the oldest first, but never prompts and the
 * newest steps. Made from the journal alone.
 * @param boundSince the first step that was made with this bound
 */
export function conversation(
  { opening, earlier, turn, plan: earlierPlan, steps, small }: TurnHistory,
  model: string,
  bound: number,
  boundSince = 0,
): ModelMessage[] {
  const bounded = isLanguageModel(model)
  const messages: ModelMessage[] = earlier.flatMap((row) => [
    { role: 'user', content: row.prompt },
    { role: 'assistant', content: outcomeOf(row, small ? shortOutcome : longestOutcome) },
  ])
  if (bounded && opening !== undefined) messages.unshift({ role: 'user', content: opening })
  const material = bounded ? describeMaterial(turn.material, small && shortDiff) : undefined
  if (material !== undefined) messages.push({ role: 'user', content: material })
  if (bounded && earlierPlan !== undefined) messages.push(planMessage('the last turn', earlierPlan))
  messages.push({ role: 'user', content: turn.prompt })
  const { short, dropped, since } = bounded
    ? compact(
        steps,
        (small?.overhead ?? usualOverhead) + estimateTokens(messages) + roomForPlan(steps),
        bound,
      )
    : { short: new Set<string>(), dropped: 0, since: 0 }
  const thinking = bindsReasoning(model) ? Math.max(since, boundSince) : 0
  if (dropped > 0) messages.push({ role: 'user', content: describeDropped(steps.slice(0, dropped)) })
  const plan = lastPlanIn(steps.slice(0, dropped))
  if (plan !== undefined) messages.push(planMessage('a step that is left out above', plan))
  for (const [index, step] of steps.entries()) {
    if (index < dropped) continue
    messages.push(
      ...answerOf(step, {
        fromOtherModel: step.model !== model,
        short,
        dropReasoning: index < thinking,
      }),
    )
    const { outputs: all = [], nudge } = step.results ?? {}
    if (all.length > 0) {
      const most = bounded ? bound * (small ? smallShareOfOne : shareOfOne) : Infinity
      const print = bounded ? printOutput : (output: unknown) => JSON.stringify(output)
      // Before any is shortened, so that others get none of its room: it was counted as free.
      const fitting = cutToFit(step, all, most)
      const content = all.map((output, index) =>
        short.has(pieceName('output', output.id)) ? shortened(step, output) : (fitting[index] ?? output),
      )
      messages.push({ role: 'tool', content: content.map((output) => resultPart(output, print)) })
    }
    if (nudge !== undefined) messages.push({ role: 'user', content: nudge })
  }
  return messages
}

/** Three of the newest always stand in full. */
const smallShareOfOne = 0.2

type AnswerPart = Exclude<AssistantModelMessage['content'], string>[number]

const mostPaths = 100

function describeDropped(steps: readonly Step[]): string {
  const inputs = steps
    .filter(({ results }) => results?.changed === true)
    .flatMap(({ response }) => response.calls.map(({ input }) => input))
  const paths = new Set(
    inputs.flatMap((input) =>
      isRecord(input)
        ? [input['path'], input['from'], input['to']].filter((path) => typeof path === 'string')
        : [],
    ),
  )
  const list = [...paths].slice(-mostPaths).map((path) => JSON.stringify(path.slice(0, 200)))
  const changed = list.length === 0 ? '' : ` The files that they changed: ${list.join(', ')}.`
  return `[Your first ${steps.length} steps are left out here.${changed}]`
}

const longestPlan = 8000

/** The last plan of some steps: one in words, as a list, is taken where the model has not called the tool. */
export function lastPlanIn(steps: readonly Step[]): string | undefined {
  const input = steps
    .flatMap(({ response }) => response.calls)
    .findLast(
      ({ name, input }) => name === 'plan' && isRecord(input) && typeof input['plan'] === 'string',
    )?.input
  if (isRecord(input) && typeof input['plan'] === 'string') return input['plan']
  return steps.findLast(({ response }) => isList(response.text))?.response.text
}

// Newer plans stand in the steps that follow, so that this message stays as it is until the next compaction.
function planMessage(where: string, plan: string): ModelMessage {
  const text = plan.slice(0, longestPlan).toWellFormed()
  return { role: 'user', content: `[Your plan, as you wrote it down in ${where}:]\n\n${text}` }
}

function roomForPlan(steps: readonly Step[]): number {
  const hasPlan = ({ response }: Step) =>
    response.calls.some(({ name }) => name === 'plan') || isList(response.text)
  return steps.some(hasPlan) ? longestPlan / 3 : 0
}

function isList(text: string): boolean {
  return text.split('\n').filter((line) => /^\s{0,8}(?:[-*]|\d{1,3}[.)])\s/.test(line)).length >= 3
}

const longestOutcome = 8000
/** Characters of the diff of a change of code, where the window is small. */
const shortDiff = 4000
const shortOutcome = 800

function outcomeOf(turn: TurnRow, longest: number): string {
  if (turn.failure) return `(This was not done: ${turn.failure.message})`
  return turn.summary?.slice(0, longest) || '(Done.)'
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
  /** The inputs that are shortened. */
  short: ReadonlySet<string>
  /** Reasoning is left out, because the conversation before the answer has changed since. */
  dropReasoning: boolean
}

// Some providers reject an answer without text and calls, so it is left out.
function answerOf({ response, results }: Step, form: HistoryForm): ModelMessage[] {
  if (response.calls.length === 0 && response.text.trim() === '') return []
  const inputs = new Map(
    response.calls
      .filter(({ id }) => form.short.has(pieceName('input', id)))
      .map(({ id, name, input }) => {
        const output = results?.outputs.find((one) => one.id === id)?.output
        return [id, shownInput(name, input, isWrittenBy(output))]
      }),
  )
  if (!form.fromOtherModel && inputs.size === 0 && !form.dropReasoning) return response.messages
  return response.messages.flatMap((message) => rewrite(message, form, inputs))
}

// Reasoning and provider options mean nothing to another model, which may reject them.
function rewrite(
  message: AssistantModelMessage,
  { fromOtherModel, dropReasoning }: HistoryForm,
  inputs: ReadonlyMap<string, unknown>,
): AssistantModelMessage[] {
  if (typeof message.content === 'string') return [message]
  const content = message.content.flatMap((part): AnswerPart[] => {
    if (part.type === 'reasoning' && dropReasoning) return []
    if (part.type !== 'text' && part.type !== 'tool-call') return fromOtherModel ? [] : [part]
    const { providerOptions, ...plain } = part
    // An empty text was only kept for its provider options.
    if (fromOtherModel && plain.type === 'text' && plain.text.trim() === '') return []
    const kept = fromOtherModel || providerOptions === undefined ? plain : { ...plain, providerOptions }
    const isShort = kept.type === 'tool-call' && inputs.has(kept.toolCallId)
    return [isShort ? { ...kept, input: inputs.get(kept.toolCallId) } : kept]
  })
  return content.length === 0 ? [] : [{ role: 'assistant', content }]
}

function shortened(step: Step, output: ToolOutput): ToolOutput {
  const input = step.response.calls.find((call) => call.id === output.id)?.input
  return { ...output, output: shortOutput(output.name, input, output.output) }
}

const cutNote = '[The rest is left out, because it does not fit. Ask for less: fewer lines, narrower words.]'

/** Tokens: fewer of a text are not worth showing. */
const leastShown = 100

// Leaving a result out as a whole would mean that a long page can never be read.
function cutToFit(step: Step, outputs: readonly ToolOutput[], most: number): ToolOutput[] {
  if (most === Infinity) return [...outputs]
  const texts = outputs.map(({ output }) => (typeof output === 'string' ? output : printOutput(output)))
  const sizes = texts.map(estimateTokens)
  const rooms = roomOfEach(sizes, most)
  return outputs.map((output, index) => {
    const [text = '', tokens = 0, room = 0] = [texts[index], sizes[index], rooms[index]]
    if (tokens <= room) return output
    if (room < leastShown && most > 2 * leastShown) return shortened(step, output)
    const beginning = text.slice(0, Math.floor((text.length * room) / tokens))
    const lines = beginning.slice(0, Math.max(0, beginning.lastIndexOf('\n'))).toWellFormed()
    return { ...output, output: lines === '' ? cutNote : `${lines}\n${cutNote}` }
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
