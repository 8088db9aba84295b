import { AppError } from '../../../lib/errors.ts'
import { machineTrouble } from '../../../lib/machine-trouble.ts'
import { findStoreTrouble } from '../../../store/store-trouble.ts'
import type { ContextRepository, ContextTree } from '../workspace/context-repository.ts'
import { type Workspace } from '../workspace/workspace.ts'
import { quote } from '../../../lib/quote.ts'
import { ToolError } from '../../../lib/tool-error.ts'

/** A tree that a tool may look into, with the path inside of it. */
interface Source {
  workspace: Workspace
  path: string
  /** What its paths start with as the model sees them: nothing, or `@name/`. */
  prefix: string
  /** For the output: where a context repository stands, so that the same commit is read for the whole turn. */
  origin: { repository?: string; commit?: string }
}

/** The job's own tree and, by paths of `@name/…`, the repositories that may be read besides. */
export interface Sources {
  /** @throws ToolError `unavailable` for a repository that cannot be fetched */
  of(path: string, signal: AbortSignal): Promise<Source>
  names: readonly string[]
}

export function createSources(
  workspace: Workspace,
  repositories: readonly ContextRepository[] = [],
): Sources {
  const opened = new Map<string, Promise<ContextTree>>()
  const open = async (repository: ContextRepository, signal: AbortSignal): Promise<ContextTree> => {
    const known = opened.get(repository.name)
    if (known !== undefined) return known
    const tree = repository.open(signal)
    opened.set(repository.name, tree)
    // What failed may work the next time.
    tree.catch(() => opened.delete(repository.name))
    return tree
  }
  return {
    names: repositories.map(({ name }) => name),
    async of(path, signal) {
      const [, name, inside = ''] = /^@([^/]+)(?:\/(.*))?$/s.exec(path) ?? []
      const repository = repositories.find((one) => one.name === name)
      if (repository === undefined) return { workspace, path, prefix: '', origin: {} }
      const { workspace: tree, commit } = await open(repository, signal).catch((error: unknown) => {
        signal.throwIfAborted()
        if (findStoreTrouble(error) ?? machineTrouble(error)) throw error
        throw new ToolError(
          'unavailable',
          `The repository ${quote(`@${repository.name}`)} cannot be read now${error instanceof AppError && error.code === 'not_found' ? ': it or its branch was not found' : ''}. Go on without it, and say so in the summary`,
        )
      })
      return {
        workspace: tree,
        path: inside,
        prefix: `@${repository.name}/`,
        origin: { repository: `@${repository.name}`, commit },
      }
    },
  }
}
