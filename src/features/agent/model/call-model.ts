import { addUsage } from '../../../store/usage.ts'
import { askModel } from './ask-model.ts'
import type { Asked, Question } from './ask-model.ts'
import { requireOpenTurn } from '../turns/end-turn.ts'
import { appendEvents } from '../events.ts'
import type { NewEvent } from '../events.ts'
import { lockJob, updateJob } from '../jobs.ts'
import { insertStep } from '../turns/steps.ts'
import type { Step } from '../turns/steps.ts'
import { TurnLost } from '../turns/turn-failure.ts'
import { titleOf } from '../title.ts'
import { updateTurn } from '../turns/turns.ts'
import type { TurnRow } from '../turns/turns.ts'
import type { StartedTurn, TurnRun } from '../turns/turn-run.ts'

/** One call of the model, committed with what it used before anything that it asks for is done. */
export async function callModel(run: TurnRun, turn: StartedTurn, question: Question): Promise<Step> {
  const asked = await askModel(run, question)
  const { response, model, usage } = asked
  const cost = run.ports.models.costOf(model, usage)
  const step: Step = {
    n: (question.steps.at(-1)?.n ?? 0) + 1,
    response,
    model,
    usage,
    cost: cost === undefined ? undefined : Math.round(cost),
    results: undefined,
  }
  await run.ports.store.transaction(async (tx) => {
    await lockJob(tx, run.job.id)
    const row = await requireOpenTurn(tx, turn.row.id)
    if (!(await insertStep(tx, row.id, step))) throw new TurnLost()
    await updateTurn(tx, row.id, {
      input_tokens: row.input_tokens + usage.inputTokens,
      cached_input_tokens: row.cached_input_tokens + usage.cachedInputTokens,
      output_tokens: row.output_tokens + usage.outputTokens,
      cost: costOfTurn(row, step),
      worked: run.worked(),
      // The one under way.
      starts: 1,
    })
    await appendEvents(tx, run.job.id, row.n, eventsOf(run, step, asked))
    await updateJob(tx, run.job.id)
    await addUsage(tx, run.project.id, 'agent', [{ model, usage, cost: step.cost }])
  })
  return step
}

// Once a price was not known, the sum is not either.
function costOfTurn(row: TurnRow, { cost, n }: Step): number | null {
  const before = n === 1 ? 0 : row.cost
  return before === null || cost === undefined ? null : before + cost
}

function eventsOf(run: TurnRun, step: Step, { usage, thinking, trouble }: Asked): NewEvent[] {
  const { response, model, cost } = step
  const event: NewEvent = {
    type: 'step',
    data: {
      step: step.n,
      model,
      ...(thinking !== undefined && { thinking }),
      ...(response.text.trim() !== '' && { text: titleOf(response.text) }),
      tools: response.calls.map((call) => call.name),
      inputTokens: usage.inputTokens,
      cachedInputTokens: usage.cachedInputTokens,
      outputTokens: usage.outputTokens,
      cost: cost === undefined ? null : cost / 1e6,
      elapsedMilliseconds: run.worked(),
    },
  }
  if (trouble === undefined) return [event]
  const message = `${trouble}. ${model} answered in its place`
  return [{ type: 'model.fallback', data: { model: run.job.model, fallback: model, message } }, event]
}
