import type { AssistantModelMessage, FinishReason } from 'ai'
import { json, type Reader, type Tx } from '../../../store/database.ts'
import type { CheckColumn, ChoiceColumn, FailureColumn, ViolationColumn } from '../../../store/columns.ts'
import type { UsageCount } from '../../../store/usage.ts'

/** One call of the model and its results. */
export interface Step {
  n: number
  response: StepResponse
  /** The model that answered: the job's own or its fallback. */
  model: string
  usage: UsageCount
  /** Millionths of a US dollar; undefined where no price is known. */
  cost: number | undefined
  /** Undefined until all of its tools have run. */
  results: StepResults | undefined
}

export interface StepResponse {
  /** The assistant's messages in the form that is sent again. */
  messages: AssistantModelMessage[]
  text: string
  calls: ToolCall[]
  finish: FinishReason
  /** The number of calls that were left out because the answer was cut off. */
  cut?: number | undefined
  /** The token bound of the conversation for this call, after it had been too long for the model. */
  bound?: number | undefined
}

export interface ToolCall {
  /** Unique within the turn, even if the provider's ids are not. */
  id: string
  name: string
  input: unknown
  /** Why the call cannot run: an unknown tool, or invalid arguments. */
  invalid: string | undefined
}

export interface StepResults {
  outputs: ToolOutput[]
  /** The message to the model after an answer without tool calls. */
  nudge?: string | undefined
  /** Set when this step ends the turn. */
  end?: TurnEnd | undefined
  /** Set when this step ends the turn as failed. */
  failure?: FailureColumn | undefined
  /** Set when the model called finish and was sent back. */
  sentBack?: SentBack | undefined
  /** Whether files were changed. */
  changed?: boolean | undefined
}

export interface ToolOutput {
  id: string
  name: string
  output: unknown
  /** A hash of the call with its input and output, to detect repeats. */
  same?: string | undefined
  /** A note to the model after the output. */
  note?: string | undefined
}

/**
 * Why a turn was sent back: it changed files despite `noChange`, ended without a change that it should have made,
 * violated the policy, caused problems in the docs, or said what neither its sources nor its changes show.
 */
export type SentBack = 'no_change' | 'unchanged' | 'policy' | 'checks' | 'evidence'

export interface TurnEnd {
  title: string | undefined
  summary: string
  /** What the whole pull request changes, where earlier turns have published a part of it. */
  description?: string | undefined
  noChange: boolean
  /** Nothing was changed because the request itself was not understood. */
  notUnderstood?: boolean | undefined
  /** The reason for each changed page and its sources: `file:line`, an address, a commit, or the prompt. */
  pages: PageReason[]
  /** Problems were left after the last round, so that the pull request is only a draft. */
  draft?: boolean | undefined
  /** The problems that were left. */
  problems?: CheckColumn[] | undefined
  /** The summary is a question to the person, and what was changed so far is kept for the turn that answers it. */
  /** Answers that it offers with what it asks. */
  choices?: ChoiceColumn[]
  asks?: boolean | undefined
  /** Only the merge of the base is to be published. */
  merges?: boolean | undefined
  /** What people read instead of the summary, when the model insists that it has done something but it has not. */
  nothingDone?: string | undefined
  /** What is not published with the rest. */
  leftOut?: LeftOut | undefined
  /** Sentences of its texts that the changes do not show. */
  unproven?: string[] | undefined
  /** A person decided to publish what a turn that ended early has left. */
  decided?: { turn: number; reason: string } | undefined
}

/** Files that stay as they were, and why: a moved page is named once and stays at both of its paths. */
export interface LeftOut {
  paths: string[]
  violations: ViolationColumn[]
}

interface PageReason {
  path: string
  reason: string
  sources: string[]
  /** Addresses by source. */
  links?: Record<string, string>
}

export async function readSteps(reader: Reader, turnId: string): Promise<Step[]> {
  const rows = await reader
    .selectFrom('steps')
    .selectAll()
    .where('turn_id', '=', turnId)
    .orderBy('n')
    .execute()
  // Safe, because only the two functions below write these columns.
  return rows.map((row) => ({
    n: row.n,
    response: withInputs(row.response as StoredResponse),
    model: row.model ?? '',
    usage: {
      inputTokens: row.input_tokens,
      cachedInputTokens: row.cached_input_tokens,
      outputTokens: row.output_tokens,
    },
    cost: row.cost ?? undefined,
    results: (row.results as StepResults | null) ?? undefined,
  }))
}

/**
 * The values must be JSON that Postgres accepts.
 * @returns false when another runner has written this step first
 */
export async function insertStep(tx: Tx, turnId: string, step: Step): Promise<boolean> {
  const { response, usage } = step
  const stored: StoredResponse = {
    ...response,
    calls: response.calls.map(({ id, name, invalid }) => ({ id, name, invalid })),
  }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('steps')
    .values({
      turn_id: turnId,
      n: step.n,
      response: json(stored),
      model: step.model,
      input_tokens: usage.inputTokens,
      cached_input_tokens: usage.cachedInputTokens,
      output_tokens: usage.outputTokens,
      cost: step.cost ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * The values must be JSON that Postgres accepts.
 * @returns false when another runner has written them first
 */
export async function writeResults(
  tx: Tx,
  turnId: string,
  n: number,
  results: StepResults,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('steps')
    .set({ results: json(results) })
    .where('turn_id', '=', turnId)
    .where('n', '=', n)
    .where('results', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

type StoredResponse = Omit<StepResponse, 'calls'> & { calls: Omit<ToolCall, 'input'>[] }

/** Adds the calls' inputs from the messages. They may be long, so they are stored only there. */
export function withInputs(response: StoredResponse): StepResponse {
  const inputs = new Map<string, unknown>()
  for (const { content } of response.messages) {
    if (typeof content === 'string') continue
    for (const part of content) if (part.type === 'tool-call') inputs.set(part.toolCallId, part.input)
  }
  return { ...response, calls: response.calls.map((call) => ({ ...call, input: inputs.get(call.id) })) }
}
