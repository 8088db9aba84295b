import type { Job } from '../../features/agent/jobs.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Live } from '../frame/html/layout.ts'

/** For pages that show a project or its jobs: settings, index, lists. */
export function projectStream({ domain }: Project): string {
  return `/live/projects/${domain}`
}

/** For pages that show a job. Without scripts they do not reload themselves, as somebody may be writing there. */
export function liveJob({ domain }: Project, { id, revision }: Pick<Job, 'id' | 'revision'>): Live {
  return { stream: `/live/projects/${domain}/jobs/${id}`, version: String(revision) }
}
