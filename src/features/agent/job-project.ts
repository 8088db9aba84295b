import type { Repository } from '../../integrations/git/git.ts'
import type { Remote } from '../../integrations/git/remote.ts'

/** What the agent has to know of a project. */
export interface JobProject {
  id: string
  domain: string
  /** The branch that jobs start from unless they name another. */
  ref: string
  /** The folder of the documentation, without slashes at its ends; empty for the whole repository. */
  root: string
  framework: string | undefined
  /** Our bare mirror, and where it comes from. */
  repository: Repository
  remote: Remote
}
