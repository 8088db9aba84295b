import { diffTrees } from '../../integrations/git/diff-trees.ts'
import type { Reader } from '../../store/database.ts'
import type { JobProject } from './job-project.ts'

/**
 * What the job changes against its base, as a unified diff; empty as long as nothing was published.
 * Undefined when there is no such job in this project.
 */
export async function jobDiff(
  reader: Reader,
  project: Pick<JobProject, 'id' | 'repository'>,
  jobId: string,
): Promise<string | undefined> {
  const job = await reader
    .selectFrom('jobs')
    .select(['base_commit', 'head_commit'])
    .where('project_id', '=', project.id)
    .where('id', '=', jobId)
    .executeTakeFirst()
  if (job === undefined) return undefined
  if (job.base_commit === null || job.head_commit === null) return ''
  return (await diffTrees(project.repository, job.base_commit, job.head_commit)).text
}
