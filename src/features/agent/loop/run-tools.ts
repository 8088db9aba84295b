import { stepsLeft } from '../turns/budget.ts'
import { updateOpenTurn } from '../turns/end-turn.ts'
import { appendEvents, type NewEvent } from '../events.ts'
import { handleTextAnswer } from './handle-text-answer.ts'
import { updateJob } from '../jobs.ts'
import { isLanguageModel } from '../model/reminders.ts'
import { writeOverlay } from '../workspace/overlay.ts'
import { runCalls } from './run-calls.ts'
import { writeResults, type Step, type StepResults } from '../turns/steps.ts'
import { storableJson } from '../../../lib/text/storable-json.ts'
import { TurnLost } from '../turns/turn-failure.ts'
import type { TurnRow } from '../turns.ts'
import type { DirtyEntry } from '../workspace/workspace.ts'
import type { TurnRun, TurnTools } from '../turns/turn-run.ts'

/**
 * Runs the tool calls of the model's last answer. Results, changed files and events are written together: if a
 * runner dies before, the next one finds the answer without results and runs the calls again on the unchanged tree.
 */
export async function runTools(
  run: TurnRun,
  turn: TurnRow,
  tools: TurnTools,
  steps: readonly Step[],
): Promise<StepResults> {
  const last = steps.at(-1)
  if (last === undefined) throw new TurnLost()
  const earlier = steps.slice(0, -1)
  const { results, events } =
    last.response.calls.length === 0
      ? await handleTextAnswer(run, tools, earlier, last)
      : await runCalls(run, tools, earlier, last)
  const dirty = tools.workspace.takeDirty()
  if (dirty.length > 0) results.changed = true
  warnOfBudget(run, steps, results)
  // The model must see the same results now as after a restart.
  const stored = storableJson(results) as StepResults
  await run.ports.store.transaction(async (tx) => {
    await updateJob(tx, run.job.id)
    await updateOpenTurn(tx, turn.id, { worked: run.worked(), starts: 1 })
    if (!(await writeResults(tx, turn.id, last.n, stored))) throw new TurnLost()
    await writeOverlay(tx, turn.id, dirty)
    await appendEvents(tx, run.job.id, turn.n, [...events, ...dirty.map(changeEvent)])
  })
  return stored
}

// Warns the model, so that good work gets published before the budget is used up.
function warnOfBudget(run: TurnRun, steps: readonly Step[], results: StepResults): void {
  const left = stepsLeft(run.budget, steps, run.worked())
  const output = results.outputs.at(-1)
  if (left < 1 || left > 2 || !output || results.end || results.failure || !isLanguageModel(run.job.model))
    return
  const steps_ = left === 1 ? '1 step is' : '2 steps are'
  const note = `${steps_} left: call finish now, and say in the summary what remains to be done.`
  output.note = output.note === undefined ? note : `${output.note}\n\n${note}`
}

function changeEvent(entry: DirtyEntry): NewEvent {
  return { type: 'file.changed', data: { path: entry.path, change: entry.state } }
}
