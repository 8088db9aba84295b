import { diffTrees } from '../../integrations/git/trees/diff-trees.ts'
import type { Repository } from '../../integrations/git/git.ts'
import { resolveReference } from '../../integrations/git/resolve-reference.ts'
import { AppError } from '../../lib/errors.ts'
import type { Reader } from '../../store/database.ts'

/** `open` returns the project's mirror, fetched when one of the commits is missing. */
export interface DiffedProject {
  id: string
  open(commits: readonly string[]): Promise<Repository>
}

/**
 * The job's changes against its base as a unified diff; empty until something was published. Undefined when there
 * is no such job in this project.
 * @throws AppError `not_found` when its commits are gone, because hosts delete those of deleted branches
 */
export async function jobDiff(
  reader: Reader,
  project: DiffedProject,
  jobId: string,
): Promise<string | undefined> {
  const job = await reader
    .selectFrom('jobs')
    .select(['base_commit', 'head_commit', 'branch', 'pull_request'])
    .where('project_id', '=', project.id)
    .where('id', '=', jobId)
    .executeTakeFirst()
  if (job === undefined) return undefined
  if (job.base_commit === null || job.head_commit === null) return ''
  const commits = [job.base_commit, job.head_commit] as const
  const repository = await project.open(commits)
  const found = await Promise.all(commits.map((commit) => resolveReference(repository, commit)))
  if (found.includes(undefined)) {
    const elsewhere =
      job.pull_request === null ? '' : `: its pull request may still show it (${job.pull_request.link})`
    throw new AppError(
      'not_found',
      `The change is no longer in the repository, because its branch ${job.branch} was deleted or rewritten there${elsewhere}`,
    )
  }
  return (await diffTrees(repository, ...commits)).text
}
