import type { Job } from '../../../features/agent/jobs.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { Live } from '../html/layout.ts'

/** For pages that show a project or its jobs: settings, index, lists. */
export function projectStream({ domain }: Project): string {
  return `/live/projects/${domain}`
}

/** For pages that show a job. */
export function liveJob(
  { domain }: Project,
  { id, revision, status }: Pick<Job, 'id' | 'revision' | 'status'>,
): Live {
  return {
    stream: `/live/projects/${domain}/jobs/${id}`,
    version: String(revision),
    working: status === 'active',
  }
}
