import { sql, type RawBuilder } from 'kysely'
import { addUsage } from '../../../store/usage.ts'
import { askModel, type ModelAnswer, type Question } from './ask-model.ts'
import { updateOpenTurn } from '../turns/end-turn.ts'
import { appendEvents, type NewEvent } from '../events.ts'
import { updateJob } from '../jobs.ts'
import { insertStep, type Step } from '../turns/steps.ts'
import { TurnLost } from '../turns/turn-failure.ts'
import { titleOf } from '../title.ts'
import { noLongerParked } from '../turns.ts'
import type { StartedTurn, TurnRun } from '../turns/turn-run.ts'

/** Calls the model once, and commits the answer with its usage before any of its tool calls run. */
export async function callModel(run: TurnRun, turn: StartedTurn, question: Question): Promise<Step> {
  const answer = await askModel(run, question)
  const { response, model, usage } = answer
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
    const { id, n } = turn.row
    await updateJob(tx, run.job.id)
    await updateOpenTurn(tx, id, {
      input_tokens: sql<number>`input_tokens + ${usage.inputTokens}`,
      cached_input_tokens: sql<number>`cached_input_tokens + ${usage.cachedInputTokens}`,
      output_tokens: sql<number>`output_tokens + ${usage.outputTokens}`,
      cost: costOfTurn(step),
      worked: run.worked(),
      // The turn has made progress, so only the current start counts.
      starts: 1,
      ...noLongerParked,
    })
    if (!(await insertStep(tx, id, step))) throw new TurnLost()
    await appendEvents(tx, run.job.id, n, eventsOf(run, step, answer))
    await addUsage(tx, run.project.id, 'agent', [{ model, usage, cost: step.cost }])
  })
  return step
}

// The sum stays unknown once a price was not known.
function costOfTurn({ cost, n }: Step): RawBuilder<number> {
  return n === 1 ? sql<number>`${cost ?? null}::bigint` : sql<number>`cost + ${cost ?? null}::bigint`
}

function eventsOf(run: TurnRun, step: Step, { usage, thinking, trouble }: ModelAnswer): NewEvent[] {
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
