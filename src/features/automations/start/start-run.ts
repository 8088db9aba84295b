import { AppError, messageOf } from '../../../lib/errors.ts'
import type { RunCauseColumn } from '../../../store/columns.ts'
import type { Tx } from '../../../store/database.ts'
import { findAutomation, lockAutomation, type Automation } from '../automations.ts'
import { savePreview, type Preview } from '../previews/table.ts'
import {
  beginRun,
  closedFindings,
  countToday,
  endRun,
  openJobOf,
  putOffRun,
  RunTaken,
  type DueRun,
} from '../runs.ts'
import { decide } from './decide.ts'
import type { Hooks, StartPorts, Work } from './ports.ts'

/** Seconds until a run is tried again that could not begin. */
const pauses = [10, 30, 120, 600, 1800]
/** The site is being checked. */
const pauseForCheck = 10
const longestCheck = 60

/**
 * Begins a run that is due, or ends it with reasons. Any number of processes may do so at once, and any of them may end at any point: the run
 * is written down in the transaction that makes its job.
 */
export async function startRun(ports: StartPorts, run: DueRun, signal: AbortSignal): Promise<void> {
  const { store } = ports
  const say = async (tx: Tx, preview: Preview | undefined): Promise<void> => {
    if (preview) await savePreview(tx, { projectId: run.projectId, runId: run.id }, preview)
  }
  let preview: Preview | undefined
  const end = (result: 'no_change' | 'failed' | 'closed', ...reasons: string[]): Promise<void> =>
    store.transaction(async (tx) => {
      await endRun(tx, run.id, { result, reasons })
      await say(tx, preview)
    })
  const automation = await findAutomation(store.db, run.automationId)
  const project = await ports.openProject(run.projectId)
  if (project === undefined || automation === undefined) return end('closed', 'The rule was deleted.')
  if (!automation.isOn && run.cause.kind !== 'call') return end('closed', 'The rule is switched off.')
  const { rule } = automation
  if (rule === undefined) return end('failed', 'The rule has problems.', ...automation.problems)
  const { runs: most } = rule.limits
  // A preview costs no work of a model.
  if (run.cause.kind !== 'pull' && (await countToday(store.db, automation.id)) >= most)
    return end('closed', overLimit(most))
  try {
    const closed = await closedFindings(store.db, automation.id)
    const decision = await decide(ports, { project, automation, rule, cause: run.cause, closed, signal })
    preview = decision.preview
    if (decision.kind === 'nothing') return await end('no_change', ...decision.reasons)
    if (decision.kind === 'impossible') return await end('failed', ...decision.reasons)
    if (decision.kind === 'later') {
      if (run.attempts >= longestCheck) return await end('failed', 'The site could not be checked.')
      return await store.transaction((tx) => putOffRun(tx, run.id, pauseForCheck))
    }
    const { work, findings, reasons } = decision
    await giveWork(
      ports,
      { ...automation, rule },
      work,
      {
        begin: async (tx) => {
          if ((await countToday(tx, automation.id)) >= most) throw new OverLimit()
        },
        async finish(tx, job) {
          await beginRun(tx, run.id, { jobId: job.id, turn: job.turns, findings, reasons })
          await say(tx, preview)
        },
      },
      run.cause,
    )
  } catch (error) {
    if (error instanceof RunTaken) return
    if (error instanceof OverLimit) return end('closed', overLimit(most))
    signal.throwIfAborted()
    const isLasting =
      error instanceof AppError && ['not_found', 'invalid', 'forbidden', 'too_large'].includes(error.code)
    const pause = pauses[run.attempts]
    if (isLasting || pause === undefined) return end('failed', `${messageOf(error)}.`)
    await store.transaction((tx) => putOffRun(tx, run.id, pause))
  }
}

export function overLimit(most: number): string {
  return `Not started: the rule has a limit of ${most} ${most === 1 ? 'run' : 'runs'} a day.`
}

/** Another process has taken the last run of the day meanwhile. */
class OverLimit extends Error {}

/** Another process has made a job of the rule meanwhile. */
class HasJob extends Error {}

/** A job of the rule, or a follow-up on the one whose pull request is open. Runs of a rule come one after the other. */
export async function giveWork(
  ports: StartPorts,
  { id, name, projectId, rule }: Automation & { rule: NonNullable<Automation['rule']> },
  work: Work,
  { begin, finish }: Hooks,
  cause: RunCauseColumn,
): Promise<void> {
  const by = { id, name }
  // A job for a gap is a gap's for good, so that each gap has its own.
  const isUpdate = rule.update && work.gapId === undefined
  for (;;) {
    const open = isUpdate ? await openJobOf(ports.store.db, id, cause) : undefined
    if (open !== undefined) {
      const isDone = await ports.addFollowUp(projectId, open, by, work, {
        begin: async (tx: Tx) => {
          await lockAutomation(tx, id)
          await begin(tx)
        },
        finish,
      })
      if (isDone) return
    }
    try {
      await ports.createJob(projectId, rule, by, work, {
        begin: async (tx) => {
          await lockAutomation(tx, id)
          if (isUpdate && open === undefined && (await openJobOf(tx, id, cause)) !== undefined)
            throw new HasJob()
          await begin(tx)
        },
        finish,
      })
      return
    } catch (error) {
      if (!(error instanceof HasJob)) throw error
    }
  }
}
