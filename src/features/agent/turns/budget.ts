import type { BudgetColumn } from '../../../store/columns.ts'
import type { Step } from './steps.ts'
import { TurnFailure } from './turn-failure.ts'

/** What one turn may use. */
export interface Budget {
  steps: number
  /** Input and output tokens together. */
  tokens: number
  /** Millionths of a US dollar. */
  cost: number
  /** Milliseconds of work. */
  work: number
}

/** The lowest of each limit of the server, the project and the job. */
export function budgetOf(limits: RunLimits, ...others: readonly BudgetColumn[]): Budget {
  const least = (first: number | undefined, of: (budget: BudgetColumn) => number | undefined): number =>
    Math.min(first ?? Infinity, ...others.map((budget) => of(budget) ?? Infinity))
  return {
    steps: least(limits.steps, (budget) => budget.steps),
    tokens: least(limits.tokens, (budget) => budget.tokens),
    cost: least(limits.cost, (budget) => budget.cost),
    work: least(limits.turn, (budget) => budget.minutes && budget.minutes * 60_000),
  }
}

/** @throws TurnFailure `budget` when the budget allows no further call of the model */
export function requireBudget(budget: Budget, steps: readonly Step[], worked: number): void {
  const used = usedBy(steps, worked)
  if (used.steps >= budget.steps) throw overBudget(`${number(budget.steps)} steps`)
  if (used.tokens >= budget.tokens) throw overBudget(`${number(budget.tokens)} tokens`)
  if (used.cost >= budget.cost) throw overBudget(`${(budget.cost / 1e6).toFixed(2)} USD`)
  if (used.work >= budget.work) throw workedTooLong(budget)
}

export function workedTooLong(budget: Budget): TurnFailure {
  return overBudget(`${number(budget.work / 60_000)} minutes of work`)
}

/** How many more calls of the model the budget allows, if they use as much as the last one. */
export function stepsLeft(budget: Budget, steps: readonly Step[], worked: number): number {
  const used = usedBy(steps, worked)
  const last = usedBy(steps.slice(-1), 0)
  const left = [budget.steps - used.steps]
  if (last.tokens > 0) left.push((budget.tokens - used.tokens) / last.tokens)
  if (last.cost > 0) left.push((budget.cost - used.cost) / last.cost)
  return Math.max(0, Math.ceil(Math.min(...left)))
}

// A call without a known price does not count against the cost limit.
function usedBy(steps: readonly Step[], worked: number): Budget {
  let tokens = 0
  let cost = 0
  for (const { usage, cost: price = 0 } of steps) {
    tokens += usage.inputTokens + usage.outputTokens
    cost += price
  }
  return { steps: steps.length, tokens, cost, work: worked }
}

function overBudget(limit: string): TurnFailure {
  return new TurnFailure(
    'budget',
    `The job reached its limit of ${limit}. Changes so far are saved. Send a follow-up to continue`,
  )
}

function number(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 1 })
}

export interface RunLimits {
  /** Model calls of one turn. */
  steps: number
  /** Input and output tokens of one turn; undefined: no limit. */
  tokens: number | undefined
  /** Millionths of a US dollar; undefined: no limit. */
  cost: number | undefined
  /** Milliseconds of work on a whole turn. */
  turn: number
  /** How long a job may occupy a runner while others wait, whichever limit is reached first. */
  slice: { steps: number; milliseconds: number }
}

export const defaultLimits: RunLimits = {
  steps: 100,
  tokens: undefined,
  cost: undefined,
  turn: 3_600_000,
  slice: { steps: 20, milliseconds: 60_000 },
}
