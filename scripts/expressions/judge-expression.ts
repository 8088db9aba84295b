import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

/** How the time of an expression grows with its text, by recheck. */
export type Verdict = 'safe' | 'polynomial' | 'exponential' | 'unknown'

interface Recheck {
  check(source: string, flags: string, deadlines: Record<string, number>): Promise<Judgement>
}

type Judgement =
  | { status: 'safe' | 'unknown' }
  | { status: 'vulnerable'; complexity: { type: 'polynomial' | 'exponential' } }

/** It takes what runs into one of its own deadlines for an attack, so they are long: machines are busy. */
const deadlines = { timeout: 60_000, incubationTimeout: 1000, attackTimeout: 5000 }

/** Installs recheck beside this file where it is missing: it is large, and the tests do without. */
export async function openJudge(): Promise<
  (expression: { source: string; flags: string }) => Promise<Verdict>
> {
  const load = createRequire(import.meta.url)
  let recheck: Recheck
  try {
    recheck = load('recheck') as Recheck
  } catch {
    await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund'], { cwd: import.meta.dirname })
    recheck = load('recheck') as Recheck
  }
  return async ({ source, flags }) => {
    const judgement = await recheck.check(source, flags, deadlines)
    return judgement.status === 'vulnerable' ? judgement.complexity.type : judgement.status
  }
}
