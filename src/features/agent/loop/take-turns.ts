import { outlastTrouble } from '../../../store/store-trouble.ts'
import {
  claimNextJob,
  leaveJob,
  renewClaimsEvery,
  renewJobClaims,
  type JobClaim,
} from '../turns/job-claims.ts'
import type { RunPorts } from '../turns/turn-run.ts'
import { runJob } from './run-job.ts'

/** Runs jobs in the order in which it is their turn. Any number of processes may do so on one store. */
export interface TurnTaker {
  /**
   * Runs the job whose turn it is, if one waits. A free place asks for it whenever the queue has a message, whichever job
   * that was sent for.
   */
  runNext(): Promise<void>
}

/** @param run what is done around the work on a job */
export function createTurnTaker(
  ports: RunPorts,
  run: (jobId: string, work: () => Promise<void>) => Promise<void> = (_, work) => work(),
): TurnTaker {
  const underWay = new Set<JobClaim>()
  let renewing: NodeJS.Timeout | undefined
  const report = (error: unknown): void => ports.reportError?.(error)
  const begin = (claim: JobClaim): void => {
    underWay.add(claim)
    renewing ??= setInterval(() => {
      // A claim that could not be renewed in time is taken by another process, and the journal lets one of both go on.
      renewJobClaims(ports.store, [...underWay]).catch(() => undefined)
    }, renewClaimsEvery)
  }
  const end = async (claim: JobClaim): Promise<void> => {
    underWay.delete(claim)
    if (underWay.size === 0) {
      clearInterval(renewing)
      renewing = undefined
    }
    await ports.store.transaction(async (tx) => {
      if (await leaveJob(tx, claim)) await ports.queue.send(tx, 'job', claim.jobId)
    })
  }
  return {
    async runNext() {
      const claim = await outlastTrouble(ports.stopping, () =>
        claimNextJob(
          ports.store,
          [...underWay].map(({ jobId }) => jobId),
        ),
      )
      if (!claim) return
      begin(claim)
      try {
        await run(claim.jobId, () => runJob(ports, claim.jobId))
      } finally {
        // The claim ends by itself where it cannot be given back.
        await end(claim).catch(report)
      }
    },
  }
}
