import { requireOpenTurn } from './end-turn.ts'
import { appendEvents } from './events.ts'
import type { NewEvent } from './events.ts'
import { finishTurn } from './finish-turn.ts'
import { lockJob, updateJob } from './jobs.ts'
import { writeOverlay } from './overlay.ts'
import { writeResults } from './steps.ts'
import type { Step, StepResults, ToolCall } from './steps.ts'
import { storableJson } from './storable-json.ts'
import { TurnFailure, TurnLost } from './turn-failure.ts'
import type { TurnRow } from './turns.ts'
import type { DirtyEntry } from './workspace.ts'
import type { TurnRun, TurnTools } from './turn-run.ts'

const nudge =
  'You answered without calling a tool. Go on with the tools; when you are done, or nothing needs to change, call finish.'

/**
 * Does what the model asked for in its last answer. Results, changed files and events are written together: a runner
 * that dies before finds the answer without results, and does it again on the tree as it was.
 */
export async function runTools(
  run: TurnRun,
  turn: TurnRow,
  tools: TurnTools,
  steps: readonly Step[],
  step: Step,
): Promise<StepResults> {
  const { results, events } =
    step.response.calls.length === 0
      ? { results: answerText(tools, steps, step), events: [] }
      : await runCalls(run, tools, steps, step)
  // What the model will be told now is what it would be told after a restart.
  const stored = storableJson(results) as StepResults
  const dirty = tools.workspace.takeDirty()
  await run.ports.store.transaction(async (tx) => {
    await lockJob(tx, run.job.id)
    await requireOpenTurn(tx, turn.id)
    if (!(await writeResults(tx, turn.id, step.n, stored))) throw new TurnLost()
    await writeOverlay(tx, turn.id, dirty)
    await appendEvents(tx, run.job.id, turn.n, [...events, ...dirty.map(changeEvent)])
    await updateJob(tx, run.job.id)
  })
  return stored
}

async function runCalls(
  run: TurnRun,
  tools: TurnTools,
  steps: readonly Step[],
  step: Step,
): Promise<{ results: StepResults; events: NewEvent[] }> {
  const results: StepResults = { outputs: [] }
  const events: NewEvent[] = []
  for (const call of step.response.calls) {
    run.signal.throwIfAborted()
    const output = await runCall(run, tools, steps, call, results)
    results.outputs.push({ id: call.id, name: call.name, output })
    const failed = isFailure(output)
    const description =
      call.invalid === undefined ? tools.toolbox.describe(call.name, call.input) : 'Invalid call'
    events.push({ type: 'tool', data: { tool: call.name.slice(0, 100), description, ok: !failed } })
  }
  return { results, events }
}

async function runCall(
  run: TurnRun,
  tools: TurnTools,
  steps: readonly Step[],
  call: ToolCall,
  results: StepResults,
): Promise<unknown> {
  if (call.invalid !== undefined) {
    const known = Object.hasOwn(tools.toolbox.tools, call.name)
    return failure(
      known ? 'invalid_call' : 'unknown_tool',
      known
        ? `The arguments could not be read: ${call.invalid}`
        : `There is no such tool: use ${Object.keys(tools.toolbox.tools).join(', ')}`,
    )
  }
  if (results.end !== undefined) return failure('finished', 'This came after finish and was not done')
  if (call.name !== 'finish') return tools.toolbox.call(call.name, call.input, run.signal)
  const answer = await finishTurn(tools, call.input, {
    sentBackBefore: results.sentBack === true || steps.some((earlier) => earlier.results?.sentBack === true),
    signal: run.signal,
  })
  if (answer.end) results.end = answer.end
  if (answer.sentBack) results.sentBack = true
  return answer.output
}

// Once it is asked to go on with the tools; the second time its words are taken for the end.
function answerText(tools: TurnTools, steps: readonly Step[], step: Step): StepResults {
  if (!steps.some((earlier) => earlier.results?.nudge !== undefined)) return { outputs: [], nudge }
  const summary = step.response.text.trim()
  if (summary === '') throw new TurnFailure('model_error', 'The model gave an empty answer twice: try again')
  return {
    outputs: [],
    end: { title: undefined, summary, noChange: tools.workspace.changes().length === 0, pages: [] },
  }
}

function changeEvent(entry: DirtyEntry): NewEvent {
  return { type: 'file.changed', data: { path: entry.path, change: entry.state } }
}

function failure(code: string, message: string): unknown {
  return { error: { code, message } }
}

function isFailure(output: unknown): boolean {
  return typeof output === 'object' && output !== null && 'error' in output
}
