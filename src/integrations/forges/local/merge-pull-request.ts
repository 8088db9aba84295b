import { isAncestor } from '../../git/trees/ancestry.ts'
import { commitTree, type Person } from '../../git/trees/commit-tree.ts'
import { mergeTrees, type Merge } from '../../git/trees/merge-trees.ts'
import { pushBranch } from '../../git/remotes/push-branch.ts'
import { AppError } from '../../../lib/errors.ts'
import { endPullRequest, readBranches, syncPullRequest } from './pull-request-state.ts'
import type { LocalForgePorts, LocalProject } from './local-project.ts'
import { readPullRequest, type PullRequestRow } from './pull-requests.ts'

export interface Mergeability {
  /** `missing`: one of the branches was deleted. */
  state: 'clean' | 'conflicts' | 'merged' | 'closed' | 'missing'
  /** Paths, of `conflicts` only. */
  conflicts: string[]
}

const attempts = 3

/** What merging would do now. @throws AppError `not_found` */
export async function mergeability(
  ports: LocalForgePorts,
  project: LocalProject,
  number: number,
): Promise<Mergeability> {
  const row = await requirePullRequest(ports, project, number)
  if (row.state !== 'open') return { state: row.state, conflicts: [] }
  const { head, base } = await readBranches(project, row)
  if (head === undefined || base === undefined) return { state: 'missing', conflicts: [] }
  const merge = await mergeTrees(project.repository, base, head)
  return merge.clean ? { state: 'clean', conflicts: [] } : { state: 'conflicts', conflicts: merge.conflicts }
}

/**
 * Merges with a merge commit of its own, made without a checkout, and pushes it to the base branch.
 * @throws AppError `not_found`, or `conflict` with what stands in the way and what to do about it
 */
export async function mergePullRequest(
  ports: LocalForgePorts,
  project: LocalProject,
  input: { number: number; author: Person },
): Promise<PullRequestRow> {
  for (let attempt = 1; ; attempt++) {
    const row = await requirePullRequest(ports, project, input.number)
    if (row.state !== 'open')
      throw new AppError('conflict', `Pull request ${row.number} is ${row.state} already`)
    const { head, base } = await readBranches(project, row)
    if (head === undefined || base === undefined) {
      const missing = head === undefined ? row.head : row.base
      throw new AppError(
        'conflict',
        `The branch ${JSON.stringify(missing)} is gone: push it again, or close this`,
      )
    }
    // It was merged by hand a moment ago. The next comparison records that.
    if (attempt < attempts && (await isAncestor(project.repository, head, base))) continue
    const merge = requireClean(await mergeTrees(project.repository, base, head), row)
    const commit = await commitTree(project.repository, merge.tree, {
      parents: [base, head],
      message: `Merge pull request #${row.number} from ${row.head}\n\n${row.title}`,
      author: input.author,
      date: new Date(),
    })
    const result = await pushBranch(project.repository, project.remote, {
      branch: row.base,
      commit,
      expected: base,
    })
    if (result.state === 'moved' && attempt < attempts) continue
    if (result.state !== 'pushed' && result.state !== 'up_to_date') {
      throw new AppError('conflict', `The pull request was not merged. ${result.message}`)
    }
    return endPullRequest(ports, project.id, row, {
      state: 'merged',
      head_commit: head,
      merge_commit: commit,
    })
  }
}

function requireClean(merge: Merge, row: PullRequestRow): Merge {
  if (merge.clean) return merge
  const files = merge.conflicts.slice(0, 10).join(', ')
  throw new AppError(
    'conflict',
    `${row.head} and ${row.base} both changed ${files}: merge ${row.base} into ${row.head} by hand and push it, or close this pull request and start a new job`,
  )
}

async function requirePullRequest(
  ports: LocalForgePorts,
  project: LocalProject,
  number: number,
): Promise<PullRequestRow> {
  const row = await readPullRequest(ports.store.db, project.id, number)
  if (!row) throw new AppError('not_found', `There is no pull request ${number}`)
  return syncPullRequest(ports, project, row)
}
