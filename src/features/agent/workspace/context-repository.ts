import { checkRemote } from '../../../integrations/git/remotes/check-remote.ts'
import { fetchMirror } from '../../../integrations/git/mirrors/fetch-mirror.ts'
import type { Repository } from '../../../integrations/git/git.ts'
import { grepTree } from '../../../integrations/git/trees/grep-tree.ts'
import { listTree } from '../../../integrations/git/trees/list-tree.ts'
import { readBlobs } from '../../../integrations/git/trees/blob-reader.ts'
import { resolveReference } from '../../../integrations/git/resolve-reference.ts'
import { AppError } from '../../../lib/errors.ts'
import type { JobSettings } from '../job-project.ts'
import { gitHistory } from './git-history.ts'
import type { BaseTree } from './base-tree.ts'
import { type Workspace, openWorkspace } from './workspace.ts'

/** A repository that the agent may read and search but never write. */
export interface ContextRepository {
  name: string
  open(signal: AbortSignal): Promise<ContextTree>
}

export interface ContextTree {
  commit: string
  workspace: Workspace
}

const fetchDeadline = 120_000

/**
 * Fetched on first use. `pinned` is the commit that the turn has read before, which it keeps reading unless it is
 * gone.
 */
export function contextRepository(
  { name, ref, open }: JobSettings['contextRepositories'][number],
  pinned: () => string | undefined,
): ContextRepository {
  return {
    name,
    async open(signal) {
      const { repository, remote } = await open()
      const before = pinned()
      const known = before === undefined ? undefined : await resolveReference(repository, before)
      if (known === undefined) await fetchMirror(repository, remote, { signal, deadline: fetchDeadline })
      const branch = async () => ref ?? (await checkRemote(repository.git, remote, { signal })).branch
      const commit = known ?? (await resolveReference(repository, `refs/heads/${await branch()}`))
      if (commit === undefined) throw new AppError('not_found', 'It has no such branch')
      return { commit, workspace: await openWorkspace(contextTree(repository, commit)) }
    },
  }
}

// Context repositories are read rarely, so no git process is kept open for them.
function contextTree(repository: Repository, commit: string): BaseTree {
  let oids: Promise<Map<string, string>> | undefined
  const listFiles = () => listTree(repository, commit)
  const idOf = async (path: string) => {
    oids ??= listFiles().then((files) => new Map(files.map((file) => [file.path, file.oid])))
    return (await oids).get(path)
  }
  return {
    listFiles,
    history: gitHistory(repository, commit),
    async read(path) {
      const oid = await idOf(path)
      if (oid === undefined) return undefined
      for await (const blob of readBlobs(repository, [oid]))
        return blob.state === 'read' ? blob.content : undefined
      return undefined
    },
    grep: (_, pattern, { regex, ignoreCase, paths, limit, limitPerFile }) =>
      grepTree(repository, commit, pattern, { fixed: !regex, ignoreCase, paths, limit, limitPerFile }),
  }
}
