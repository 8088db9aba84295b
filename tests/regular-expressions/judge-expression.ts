import { createHash } from 'node:crypto'
import { check } from 'recheck'
import type { Expression } from './find-expressions.ts'

/** How the time of an expression grows with its text, by recheck. */
export type Verdict = 'safe' | 'polynomial' | 'exponential' | 'unknown'

/** It takes what runs into one of its own deadlines for an attack, so they are long: machines are busy. */
const deadlines = { timeout: 60_000, incubationTimeout: 1000, attackTimeout: 5000 }

export async function judgeExpression({ source, flags }: Expression): Promise<Verdict> {
  const found = await check(source, flags, deadlines)
  if (found.status === 'unknown') return 'unknown'
  return found.status === 'safe' ? 'safe' : found.complexity.type
}

export function written({ source, flags }: { source: string; flags: string }): string {
  return `/${source}/${flags}`
}

/** What verdicts.json knows an expression by. */
export function verdictKey(expression: { source: string; flags: string }): string {
  return createHash('sha256').update(written(expression)).digest('hex').slice(0, 16)
}
