import type { Repository } from '../../integrations/git/git.ts'
import type { Project } from './projects.ts'

/** The mirror of a project, with these commits unless the host no longer has them. */
export type OpenMirror = (
  project: Project,
  commits?: readonly string[],
  options?: { fresh?: boolean },
) => Promise<Repository>
