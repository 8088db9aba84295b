import { openBlobReader } from '../../../integrations/git/blob-reader.ts'
import { listTree } from '../../../integrations/git/list-tree.ts'
import type { CheckColumn } from '../../../store/tables.ts'
import { difference } from '../workspace/carry-work.ts'
import { gitBaseTree } from '../workspace/git-base-tree.ts'
import type { TurnRun } from '../turns/turn-run.ts'
import { openWorkspace } from '../workspace/workspace.ts'

/** Problems that a whole branch has and its base has not: those that earlier turns left are among them. */
export async function openProblems(run: TurnRun, base: string, commit: string): Promise<CheckColumn[]> {
  const { project, signal, ports } = run
  const { repository } = project
  const [opened, files, changes] = await Promise.all([
    openBlobReader(repository, { signal }),
    listTree(repository, base, { signal }),
    difference(repository, base, commit, []),
  ])
  await using reader = opened
  const workspace = await openWorkspace(gitBaseTree(repository, base, reader, signal, files), changes)
  using toolbox = await ports.openToolbox({ project, workspace, calls: [] })
  return await toolbox.newProblems(signal)
}
