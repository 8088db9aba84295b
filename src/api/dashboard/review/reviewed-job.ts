import type { Job } from '../../../features/agent/jobs.ts'
import type { Difference } from '../../../features/agent/workspace/job-work.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { Reviewed } from './reviewed.ts'

/** The change of a job, as the page shows it that is named. */
export function reviewedJob(
  project: Project,
  job: Job,
  { repository, from, to }: Difference,
  { page, reasons }: Pick<Reviewed, 'page' | 'reasons'>,
): Reviewed {
  return {
    project,
    repository,
    from,
    to,
    page,
    checks: job.checks,
    reasons,
    kept: new Set(job.changes.flatMap(({ path, kept }) => (kept === true ? path : []))),
    images: true,
  }
}
