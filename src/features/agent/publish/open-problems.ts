import { openBlobReader } from '../../../integrations/git/trees/blob-reader.ts'
import { listTree } from '../../../integrations/git/trees/list-tree.ts'
import type { CheckColumn } from '../../../store/columns.ts'
import type { JobProject } from '../job-project.ts'
import { gitBaseTree } from '../workspace/git-base-tree.ts'
import type { OpenToolbox } from '../workspace/toolbox.ts'
import { difference } from '../workspace/tree-difference.ts'
import { openWorkspace } from '../workspace/workspace.ts'

/** Problems of a commit that its base does not have, whoever made the commits between. */
export async function openProblems(
  { project, openToolbox, signal }: { project: JobProject; openToolbox: OpenToolbox; signal: AbortSignal },
  { base, commit }: { base: string; commit: string },
): Promise<CheckColumn[]> {
  const { repository } = project
  const [opened, files, changes] = await Promise.all([
    openBlobReader(repository, { signal }),
    listTree(repository, base, { signal }),
    difference(repository, base, commit, []),
  ])
  await using reader = opened
  const workspace = await openWorkspace(gitBaseTree(repository, base, reader, signal, files), changes)
  using toolbox = await openToolbox({ project, workspace, request: '', calls: [] })
  return await toolbox.newProblems(signal)
}
