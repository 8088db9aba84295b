import type { Repository } from '../../integrations/git/git.ts'
import type { Remote } from '../../integrations/git/remotes/remote.ts'
import type { BudgetColumn } from '../../store/tables.ts'

/** What the agent has to know of a project. */
export interface JobProject {
  id: string
  domain: string
  /** The branch that jobs start from unless they name another. */
  ref: string
  /** Branches that it had before. */
  formerRefs: readonly string[]
  /** The folder of the documentation, without slashes at its ends; empty for the whole repository. */
  root: string
  framework: string | undefined
  settings: JobSettings
  /** Our bare mirror, and where it comes from. */
  repository: Repository
  remote: Remote
}

/** What a project sets for its jobs. */
export interface JobSettings {
  /** Undefined: the server's. */
  model: string | undefined
  budget: BudgetColumn
  /** What becomes of a job whose changes still have problems after the last round. */
  onProblems: 'draft' | 'fail'
  /** Globs of files outside of the content folder, or of other kinds, that may be changed. */
  allow: readonly string[]
  /** Globs of files that are never changed. */
  protect: readonly string[]
  /** How pull requests on git hosts are opened. */
  pullRequest: {
    draft: boolean
    labels: readonly string[]
    reviewers: readonly string[]
    assignees: readonly string[]
  }
  /** Repositories that may be read and searched besides; opened only when a turn starts. */
  contextRepositories: readonly {
    name: string
    ref: string | undefined
    open: () => Promise<RemoteRepository>
  }[]
}

interface RemoteRepository {
  repository: Repository
  remote: Remote
}
