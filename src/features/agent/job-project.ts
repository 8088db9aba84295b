import type { Repository } from '../../integrations/git/git.ts'
import type { Remote } from '../../integrations/git/remote.ts'
import type { SignOff } from '../../integrations/git/trees/sign-off.ts'
import type { BudgetColumn } from '../../store/columns.ts'

/** What the agent needs to know about a project. */
export interface JobProject {
  id: string
  domain: string
  /** The branch that jobs start from unless they name another. */
  ref: string
  /** Earlier values of `ref`. */
  formerRefs: readonly string[]
  /** The folder of the documentation, without slashes at its ends; empty for the whole repository. */
  root: string
  framework: string | undefined
  settings: JobSettings
  /** Where its host shows a file, or a commit where the path is empty; undefined where there is no such page. */
  addressOf?: ((place: FilePlace) => string | undefined) | undefined
  /** Our bare mirror, and the remote that it is fetched from. */
  repository: Repository
  remote: Remote
}

/** A file of the project's repository or, with the `@name` of one, of a context repository. */
interface FilePlace {
  repository?: string | undefined
  path: string
  commit: string
  /** The first and the last line. */
  lines?: readonly [number, number] | undefined
}

/** A project's settings for its jobs. */
export interface JobSettings {
  /** Undefined for the server's default model. */
  model?: string | undefined
  /** What the names of its branches begin with. */
  branchPrefix: string
  /** Whose `Signed-off-by` its commits carry. */
  signOff: SignOff
  budget: BudgetColumn
  /** What happens to a job whose changes still have problems after the last round. */
  onProblems: 'draft' | 'fail'
  /** Globs of files that may be changed although they are outside of the content folder or of other types. */
  allow: readonly string[]
  /** Globs of files that must never be changed. */
  protect: readonly string[]
  /** Hosts that pages may load from although none does yet; `*.` before one stands for all below it. */
  allowedHosts: readonly string[]
  /** Modules, or globs of them, that pages may import although none does yet. */
  allowedImports: readonly string[]
  /** Names of parts that pages may have although none does yet. */
  allowedParts: readonly string[]
  /** What is to be looked at is held as well. */
  strict: boolean
  /** How pull requests on git hosts are opened. */
  pullRequest: {
    draft: boolean
    labels: readonly string[]
    reviewers: readonly string[]
    assignees: readonly string[]
  }
  /** Other repositories that may be read and searched. They are opened only when a turn starts. */
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
