import type { HostApi } from '../http/host-client.ts'
import { mergeRequestAnswer } from './gitlab-answers.ts'
import type { MergeRequest } from './gitlab-answers.ts'
import type { GitLabProject } from './gitlab-project.ts'

/** The newest merge request of a branch; those of the same branch in other people's forks are none of ours. */
export async function findMergeRequest(
  project: GitLabProject,
  api: HostApi,
  head: string,
  state: 'all' | 'opened',
): Promise<MergeRequest | undefined> {
  const [target, source] = [await project.target(api), await project.source(api)]
  const isOurs = (request: MergeRequest) =>
    request.source_branch === head && request.source_project_id === source
  const query = { source_branch: head, state, order_by: 'created_at', sort: 'desc', per_page: 100 }
  const found = await api.list(`/projects/${target}/merge_requests`, mergeRequestAnswer, {
    query,
    max: 500,
    until: (page) => page.some(isOurs),
  })
  return found.find(isOurs)
}
