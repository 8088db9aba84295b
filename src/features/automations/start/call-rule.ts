import { AppError } from '../../../lib/errors.ts'
import type { AboutChangeColumn, AskedByColumn, RunCauseColumn } from '../../../store/columns.ts'
import type { Automation } from '../automations.ts'
import { beginRun, closedFindings, countToday, findRunOf, insertRun } from '../runs.ts'
import { decide, workOf } from './decide.ts'
import { giveWork, overLimit } from './start-run.ts'
import type { StartPorts } from './ports.ts'

/**
 * Runs a rule because it was called, once for each key. Who calls it wants its work done, so a call always makes a job.
 * @throws AppError `invalid` for a rule with problems, `rate_limited` over its limit, and what `createJob` throws
 */
export async function callRule(
  ports: StartPorts,
  automation: Automation,
  {
    key,
    about,
    by,
    signal,
  }: {
    key: string
    about: AboutChangeColumn | undefined
    by: AskedByColumn | undefined
    signal: AbortSignal
  },
): Promise<{ id: string; jobId: string }> {
  const { store } = ports
  const present = await startedRun(ports, automation.id, key)
  if (present) return present
  const { rule } = automation
  if (rule === undefined)
    throw new AppError('invalid', `The rule has problems. ${automation.problems.join('. ')}`)
  const project = await ports.openProject(automation.projectId)
  if (project === undefined) throw new AppError('not_found', 'The project no longer exists')
  const cause: RunCauseColumn = { kind: 'call', ...(by && { by }) }
  const closed = await closedFindings(store.db, automation.id)
  const decision = await decide(ports, { project, automation, rule, cause, closed, signal })
  if (decision.kind === 'impossible')
    throw new AppError('invalid', decision.reasons.join(' ').replace(/\.$/, ''))
  const decided = decision.kind === 'work' ? decision : { work: workOf(rule, cause), findings: [] }
  const work = about === undefined ? decided.work : { ...decided.work, about }
  let id = ''
  let jobId = ''
  try {
    await giveWork(
      ports,
      { ...automation, rule },
      work,
      {
        async begin(tx) {
          if ((await countToday(tx, automation.id)) >= rule.limits.runs)
            throw new AppError('rate_limited', overLimit(rule.limits.runs).replace(/\.$/, ''))
          const runId = await insertRun(tx, automation, { key, cause })
          if (runId === undefined) throw new CalledBefore()
          id = runId
        },
        async finish(tx, job) {
          jobId = job.id
          await beginRun(tx, id, { jobId, turn: job.turns, findings: decided.findings })
        },
      },
      cause,
    )
  } catch (error) {
    const other = error instanceof CalledBefore ? await startedRun(ports, automation.id, key) : undefined
    if (other) return other
    throw error
  }
  return { id, jobId }
}

class CalledBefore extends Error {}

async function startedRun(
  { store }: StartPorts,
  automationId: string,
  key: string,
): Promise<{ id: string; jobId: string } | undefined> {
  const run = await findRunOf(store.db, automationId, key)
  return run?.job && { id: run.id, jobId: run.job.id }
}
