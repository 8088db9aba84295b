import { AppError } from '../../../../lib/errors.ts'
import { machineTrouble } from '../../../../lib/machine-trouble.ts'
import { findStoreTrouble } from '../../../../store/store-trouble.ts'
import type { ContextRepository, ContextTree } from '../../workspace/context-repository.ts'
import { type Workspace } from '../../workspace/workspace.ts'
import { quote } from '../../../../lib/text/quote.ts'
import { ToolError } from '../../../../lib/tool-error.ts'

/** A tree that a tool may read, with the path inside of it. */
interface Source {
  workspace: Workspace
  path: string
  /** The prefix of its paths for the model: empty, or `@name/`. */
  prefix: string
  /** Added to the output: the commit of a context repository, so that the whole turn reads the same one. */
  origin: { repository?: string; commit?: string }
}

/** The job's own tree and, for paths of `@name/…`, the context repositories. */
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
    // A failed fetch may succeed the next time.
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
