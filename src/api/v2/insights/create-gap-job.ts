import { createJob } from '../../../features/agent/create-job.ts'
import { getJob, type Job } from '../../../features/agent/jobs.ts'
import type { JobPorts } from '../../../features/agent/ports.ts'
import { getGap } from '../../../features/assistant/gaps/gaps.ts'
import { takeGap, workOfGap } from '../../../features/assistant/gaps/job-of-gap.ts'
import { checkLimits, countLimits, limits, useBy } from '../../../features/projects/limits.ts'
import type { AskedByColumn } from '../../../store/columns.ts'
import type { Project } from '../../../features/projects/projects.ts'

export interface GapJob {
  /** Of the person who asks for it. */
  instructions?: string | undefined
  base?: string | undefined
  model?: string | undefined
  draft?: boolean | undefined
  askedBy: AskedByColumn | undefined
}

/**
 * Creates the job that closes a gap, or finds the one that does already.
 * @throws AppError `not_found`, and what `createJob` throws
 */
export async function createGapJob(
  jobs: JobPorts,
  project: Project,
  gapId: string,
  { instructions, ...options }: GapJob,
): Promise<{ job: Job; isNew: boolean }> {
  const { store } = jobs
  const gap = await getGap(store.db, project.id, gapId, 30)
  const { title, prompt, evidence } = await workOfGap(store.db, gap, instructions)
  const uses = [useBy(project, limits.jobCreate)]
  try {
    const job = await createJob(
      jobs,
      project,
      { ...options, title, prompt, gapId: gap.id, evidence },
      (tx) => countLimits(tx, uses),
      async (tx) => {
        const present = await takeGap(tx, gap.id)
        if (present !== undefined) throw new HasJob(present)
        await checkLimits(tx, uses)
      },
    )
    return { job, isNew: true }
  } catch (error) {
    const job = error instanceof HasJob ? await getJob(store.db, project.id, error.jobId) : undefined
    if (!job) throw error
    return { job, isNew: false }
  }
}

/** Rolls the transaction back because the gap has a job. */
class HasJob extends Error {
  readonly jobId: string

  constructor(jobId: string) {
    super('The gap has a job')
    this.jobId = jobId
  }
}
