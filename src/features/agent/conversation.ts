import type { ModelMessage, ToolResultPart } from 'ai'
import type { Step } from './steps.ts'
import type { TurnRow } from './turns.ts'

/** What the model is told: earlier turns by prompt and outcome, this one whole. Made from the journal alone. */
export function conversation(
  earlier: readonly TurnRow[],
  turn: TurnRow,
  steps: readonly Step[],
): ModelMessage[] {
  const messages: ModelMessage[] = earlier.flatMap((row) => [
    { role: 'user', content: row.prompt },
    { role: 'assistant', content: outcomeOf(row) },
  ])
  messages.push({ role: 'user', content: turn.prompt })
  for (const step of steps) {
    messages.push(...step.response.messages)
    const { outputs = [], nudge } = step.results ?? {}
    if (outputs.length > 0) messages.push({ role: 'tool', content: outputs.map(resultPart) })
    if (nudge !== undefined) messages.push({ role: 'user', content: nudge })
  }
  return messages
}

function outcomeOf(turn: TurnRow): string {
  if (turn.failure) return `(This was not done: ${turn.failure.message})`
  return turn.summary || '(Done.)'
}

function resultPart({ id, name, output }: { id: string; name: string; output: unknown }): ToolResultPart {
  // It was read from a jsonb column, so it is JSON.
  return {
    type: 'tool-result',
    toolCallId: id,
    toolName: name,
    output: { type: 'text', value: JSON.stringify(output) },
  }
}
