import { inSpan } from '../../../lib/trace.ts'
import {
  countCut,
  cutTooOften,
  mostInRow,
  countRepeats,
  callKey,
  stopAfterRepeats,
  warnAfterRepeats,
} from './repeats.ts'
import type { NewEvent } from '../events.ts'
import { withoutSecrets } from '../policy/find-secrets.ts'
import { askPerson, finishTurn, type Verdict } from './finish-turn.ts'
import { reminders, isLanguageModel } from '../model/reminders.ts'
import { nearestTool } from '../model/nearest-tool.ts'
import { copiesOmissionNote } from '../model/shorten.ts'
import type { Step, StepResults, ToolCall } from '../turns/steps.ts'
import type { TurnRun, TurnTools } from '../turns/turn-run.ts'
import { unlessAborted } from '../../../lib/unless-aborted.ts'

/** The outcome of an answer, before it is stored. */
export interface Outcome {
  results: StepResults
  events: NewEvent[]
}

/** Runs the calls of one answer in order. A failed call does not stop the others. */
export async function runCalls(
  run: TurnRun,
  tools: TurnTools,
  earlier: readonly Step[],
  step: Step,
): Promise<Outcome> {
  const results: StepResults = { outputs: [] }
  const outcome: Outcome = { results, events: [] }
  tools.toolbox.beginAnswer?.()
  for (const call of step.response.calls) {
    run.signal.throwIfAborted()
    const { output, events, ...verdict } = await runCall(run, tools, earlier, call, results)
    Object.assign(results, verdict)
    results.outputs.push({
      id: call.id,
      name: call.name,
      output,
      same: callKey(call.name, call.input, output),
    })
    const description =
      call.invalid === undefined
        ? withoutSecrets(tools.toolbox.describe(call.name, call.input))
        : 'Invalid call'
    const event: NewEvent = {
      type: 'tool',
      // The name of an unknown tool is text of the model, so it is not shown.
      data: {
        tool: Object.hasOwn(tools.toolbox.tools, call.name) ? call.name : 'unknown',
        description,
        ok: !isFailure(output),
      },
    }
    outcome.events.push(event, ...events)
  }
  if (isLanguageModel(run.job.model) && !results.end && !results.failure) {
    judgeRepeats(tools, earlier, step, results)
    judgeCut(earlier, step, results)
  }
  return outcome
}

async function runCall(
  run: TurnRun,
  tools: TurnTools,
  earlier: readonly Step[],
  call: ToolCall,
  results: StepResults,
): Promise<Verdict> {
  const objection = objectionTo(tools, call, results)
  if (objection) return { output: { error: objection }, events: [] }
  // Models invent names, which may hold anything.
  const known = Object.hasOwn(tools.toolbox.tools, call.name) && { 'gen_ai.tool.name': call.name }
  return inSpan('execute_tool', { 'gen_ai.operation.name': 'execute_tool', ...known }, async () => {
    if (call.name === 'finish') return finishTurn(run, tools, call.input, earlier)
    if (call.name === 'ask_person') return askPerson(call.input)
    const output = await unlessAborted(run.signal, () =>
      tools.toolbox.call(call.name, call.input, run.signal),
    )
    return { output, events: [] }
  })
}

function objectionTo(
  { toolbox }: TurnTools,
  call: ToolCall,
  { outputs, end, failure, sentBack }: StepResults,
): { code: string; message: string } | undefined {
  if (call.invalid !== undefined) {
    if (Object.hasOwn(toolbox.tools, call.name)) {
      return { code: 'invalid_call', message: `The arguments could not be read: ${call.invalid}` }
    }
    const names = Object.keys(toolbox.tools)
    const near = nearestTool(call.name, names)
    const question = near === undefined ? '' : ` Did you mean ${near}?`
    return { code: 'unknown_tool', message: `Tool not found.${question} Use ${names.join(', ')}` }
  }
  if (end ?? failure) return { code: 'finished', message: 'This call came after finish and was not run' }
  if (copiesOmissionNote(call.input)) {
    const message = 'The input contains a note in place of a text that was left out: give the text itself'
    return { code: 'left_out', message }
  }
  if (call.name !== 'finish') return undefined
  if (sentBack) return { code: 'not_finished', message: 'finish was called in this answer already' }
  if (!outputs.some(({ output }) => isFailure(output))) return undefined
  const message = 'A call before this one failed in the same answer: look at it, then call finish again'
  return { code: 'not_finished', message }
}

function judgeRepeats(
  { toolbox }: TurnTools,
  earlier: readonly Step[],
  { response }: Step,
  results: StepResults,
): void {
  const counts = countRepeats(
    earlier,
    results.outputs.flatMap(({ same }) => same ?? []),
  )
  for (const [index, output] of results.outputs.entries()) {
    const count = counts.get(output.same ?? '') ?? 1
    if (count < warnAfterRepeats) continue
    output.note = `You have done this ${count} times with the same result. Do something else, or call finish.`
    if (count < stopAfterRepeats) continue
    const call = toolbox.describe(output.name, response.calls[index]?.input)
    const message = `The model repeated itself: it did this ${count} times with the same result: ${call}. What was done so far is kept: send a message with more precise words to go on`
    results.failure = { code: 'loop', message }
    return
  }
}

function judgeCut(earlier: readonly Step[], { response }: Step, results: StepResults): void {
  const last = results.outputs.at(-1)
  if (response.cut === undefined || last === undefined || results.failure) return
  last.note = last.note === undefined ? reminders.cut : `${last.note}\n\n${reminders.cut}`
  if (response.finish === 'length' && countCut(earlier) + 1 >= mostInRow) {
    results.failure = { code: 'model_error', message: cutTooOften }
  }
}

function isFailure(output: unknown): boolean {
  return typeof output === 'object' && output !== null && 'error' in output
}
