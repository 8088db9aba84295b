import type { JobProject } from '../../features/agent/job-project.ts'
import type { DocsResult } from '../../features/agent/tools/search-docs.ts'
import { contextRepository } from '../../features/agent/workspace/context-repository.ts'
import type { BaseTree, History } from '../../features/agent/workspace/base-tree.ts'
import type { Workspace } from '../../features/agent/workspace/workspace.ts'
import type { LinterPrograms } from '../../integrations/linters/linter.ts'
import { AppError } from '../../lib/errors.ts'
import { type ToolboxReply, type ToolboxRequest, packList } from './thread-tasks.ts'

interface Ports {
  linters: LinterPrograms
  search: (query: string, limit: number) => Promise<readonly DocsResult[] | undefined>
}

/** Answers the requests of a toolbox thread, which itself has no git, no network and no database. */
export function answerThread(
  { linters, search }: Ports,
  { settings }: JobProject,
  { baseTree }: Workspace,
): (signal: AbortSignal) => (request: ToolboxRequest) => Promise<ToolboxReply> {
  const trees = new Map([['', baseTree]])
  const treeOf = (name: string): BaseTree => {
    const tree = trees.get(name)
    if (tree === undefined) throw new AppError('internal', 'The thread has not asked for this repository')
    return tree
  }
  const historyOf = (name: string): History => {
    const { history } = treeOf(name)
    if (history === undefined) throw new AppError('not_found', 'This tree has no history')
    return history
  }
  const openContext = async (name: string, pinned: string | undefined, signal: AbortSignal) => {
    const repository = settings.contextRepositories.find((one) => one.name === name)
    if (repository === undefined) throw new AppError('not_found', 'Repository not found')
    const { commit, workspace } = await contextRepository(repository, () => pinned).open(signal)
    trees.set(name, workspace.baseTree)
    return { commit, files: packList(await workspace.baseTree.listFiles()) }
  }
  return (signal) => async (request) => {
    // After a turn was stopped, its thread does nothing more either.
    signal.throwIfAborted()
    const { kind } = request
    switch (kind) {
      case 'read':
        return { kind, contents: await readSome(treeOf(request.tree), request.paths) }
      case 'grep': {
        const { changes, pattern, options } = request
        return { kind, found: await treeOf(request.tree).grep(changes, pattern, options) }
      }
      case 'log':
        return { kind, log: await historyOf(request.tree).log(request.query, signal) }
      case 'tags':
        return { kind, tags: await historyOf(request.tree).tags(request.limit) }
      case 'commit':
        return { kind, shown: await historyOf(request.tree).show(request.commit, request.path) }
      case 'diff':
        return { kind, ...(await historyOf(request.tree).diff(request, signal)) }
      case 'search':
        return { kind, hits: await search(request.query, request.limit) }
      case 'linter':
        return { kind, isThere: await linters.has(request.program) }
      case 'lint':
        return { kind, output: await linters.run(request.program, request.call, signal) }
      default:
        return { kind, ...(await openContext(request.name, request.pinned, signal)) }
    }
  }
}

async function readSome(tree: BaseTree, paths: readonly string[]): Promise<(Uint8Array | undefined)[]> {
  const [only] = paths
  if (paths.length === 1 && only !== undefined) return [await tree.read(only)]
  return (await tree.readSome?.(paths)) ?? Promise.all(paths.map((path) => tree.read(path)))
}
