import type { ModelMessage } from 'ai'
import { json } from '../../store/database.ts'
import type { Reader, Tx } from '../../store/database.ts'
import { storableJson } from './storable-json.ts'

/** One call of the model and what came of it. */
export interface Step {
  n: number
  response: StepResponse
  /** Undefined while its tools have not run to the end. */
  results: StepResults | undefined
}

export interface StepResponse {
  /** The assistant's messages as the SDK gives them, to be replayed as they are. */
  messages: ModelMessage[]
  text: string
  calls: ToolCall[]
}

export interface ToolCall {
  id: string
  name: string
  input: unknown
  /** Why the call cannot be run: an unknown tool, or arguments that are no JSON. */
  invalid: string | undefined
}

export interface StepResults {
  outputs: { id: string; name: string; output: unknown }[]
  /** Told to the model after an answer without tool calls. */
  nudge?: string | undefined
  /** Set when this step ends the turn. */
  end?: TurnEnd | undefined
  /** The model wanted to finish and was sent back. */
  sentBack?: boolean | undefined
}

export interface TurnEnd {
  title: string | undefined
  summary: string
  noChange: boolean
  /** Why each page was changed, and what that rests on: `file:line`, or the prompt. */
  pages: PageReason[]
}

export interface PageReason {
  path: string
  reason: string
  sources: string[]
}

export async function readSteps(reader: Reader, turnId: string): Promise<Step[]> {
  const rows = await reader
    .selectFrom('steps')
    .select(['n', 'response', 'results'])
    .where('turn_id', '=', turnId)
    .orderBy('n')
    .execute()
  // Only the two functions below write these columns.
  return rows.map((row) => ({
    n: row.n,
    response: row.response as StepResponse,
    results: (row.results as StepResults | null) ?? undefined,
  }))
}

/** @returns false when another runner has written this step first. */
export async function insertStep(
  tx: Tx,
  turnId: string,
  n: number,
  response: StepResponse,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('steps')
    .values({ turn_id: turnId, n, response: json(storableJson(response)) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** @returns false when another runner has written them first. */
export async function writeResults(
  tx: Tx,
  turnId: string,
  n: number,
  results: StepResults,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('steps')
    .set({ results: json(storableJson(results)) })
    .where('turn_id', '=', turnId)
    .where('n', '=', n)
    .where('results', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
