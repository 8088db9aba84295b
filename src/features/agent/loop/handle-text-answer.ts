import { countCut, cutTooOften, mostInRow } from './repeats.ts'
import { checkEnd, hasChanged, hasFailedEdits, wasSentBack } from './finish-turn.ts'
import { findWrittenCall } from '../model/find-written-call.ts'
import { reminders, isLanguageModel } from '../model/reminders.ts'
import type { Outcome } from './run-calls.ts'
import type { Step } from '../turns/steps.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { TurnRun, TurnTools } from '../turns/turn-run.ts'

/** Handles an answer without tool calls: text, an empty answer, a refusal, or an answer that was cut off. */
export async function handleTextAnswer(
  run: TurnRun,
  tools: TurnTools,
  earlier: readonly Step[],
  step: Step,
): Promise<Outcome> {
  const { finish } = step.response
  const text = step.response.text.trim()
  if (finish === 'content-filter') return failed('refused', refusal(text))
  if (finish === 'length') {
    return countCut(earlier) + 1 < mostInRow ? reminded(reminders.cut) : failed('model_error', cutTooOften)
  }
  if (text === '') {
    return countEmpty(earlier) + 1 < mostInRow
      ? reminded(reminders.empty)
      : failed(
          'model_error',
          `The model returned ${mostInRow} empty responses in a row. Send a follow-up to try again`,
        )
  }
  const wasTold = (reminder: string): boolean => earlier.some(({ results }) => results?.nudge === reminder)
  if (writesCall(text, tools)) {
    return wasTold(reminders.written) ? failed('model_error', callsAsText) : reminded(reminders.written)
  }
  // The first time the model is asked to continue with the tools; the second time its text is taken as the summary.
  if (!wasTold(reminders.text) && isLanguageModel(run.job.model)) return reminded(reminders.text)
  // Text without a change is taken as the reason for that; after an edit that failed only when it is said again. Work
  // that was taken over is not published by the answer to a question.
  const isSure = !hasFailedEdits(tools.toolbox, earlier) || wasSentBack(earlier, 'unchanged')
  const noChange = !hasChanged(tools.workspace, earlier) && isSure
  const end = { title: undefined, summary: text, noChange, pages: [] }
  const { output, events, ...verdict } = await checkEnd(run, tools, end, earlier)
  const nudge = verdict.sentBack && JSON.stringify(output)
  return { results: { outputs: [], nudge, ...verdict }, events }
}

function countEmpty(steps: readonly Step[]): number {
  const isEmpty = ({ response }: Step): boolean => response.calls.length === 0 && response.text.trim() === ''
  return steps.length - 1 - steps.findLastIndex((step) => !isEmpty(step))
}

const callsAsText =
  'The model returned tool calls as plain text. Use a model that supports tool calling, or enable tool calling on the model server'

// Those that are unambiguous were run. What stands in a changed file is quoted from it.
function writesCall(text: string, { toolbox, workspace }: TurnTools): boolean {
  const line = findWrittenCall(text, Object.keys(toolbox.tools))?.trim()
  return line !== undefined && !isQuoted(workspace, line)
}

/** Whether a line stands in a file that the turn has changed. */
export function isQuoted(workspace: Workspace, line: string): boolean {
  return workspace.changes().some(({ content }) => content && Buffer.from(content).includes(line.trim()))
}

function refusal(text: string): string {
  const excerpt = text.slice(0, 500).toWellFormed().replace(/\.$/, '')
  const words = text === '' ? 'and did not say why' : `with these words: ${excerpt}`
  return `The model refused this request, ${words}. Rephrase the prompt or choose another model`
}

function reminded(nudge: string): Outcome {
  return { results: { outputs: [], nudge }, events: [] }
}

function failed(code: string, message: string): Outcome {
  return { results: { outputs: [], failure: { code, message } }, events: [] }
}
