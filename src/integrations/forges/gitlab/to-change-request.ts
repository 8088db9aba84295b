import type { ChangeRequest } from '../forge.ts'
import { z } from 'zod'
import { apiPath } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import type { MergeRequest } from './gitlab-answers.ts'
import type { GitLabProject } from './gitlab-project.ts'

/** An open one whose branch is gone counts as closed: GitLab keeps it open, and nothing can be done with it. */
export async function toChangeRequest(
  project: GitLabProject,
  api: HostApi,
  found: MergeRequest,
): Promise<ChangeRequest> {
  const { iid, web_url, state, source_branch, target_branch, source_project_id, draft } = found
  const isMerged = state === 'merged'
  const isOpen = !isMerged && state !== 'closed'
  const source = await project.source(api)
  // Other people's forks may be hidden from us.
  const isOurs = source_project_id === source
  const hasBranch = !isOpen || !isOurs || (await branchExists(api, source, source_branch))
  return {
    number: iid,
    link: web_url,
    state: isMerged ? 'merged' : isOpen && hasBranch ? 'open' : 'closed',
    head: source_branch,
    base: target_branch,
    draft: draft ?? undefined,
  }
}

export async function branchExists(api: HostApi, project: number, branch: string): Promise<boolean> {
  const answer = z.object({ name: z.string() })
  const found = await api.find(apiPath`/projects/${project}/repository/branches/${branch}`, answer)
  return found !== undefined
}
