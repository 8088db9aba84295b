import { z } from 'zod'
import type { CodeRequest, CodeRequests } from '../host.ts'
import { hostTime } from '../http/host-time.ts'
import { mergeRequestAnswer } from './gitlab-answers.ts'
import type { GitLabProject } from './gitlab-project.ts'
import type { Comments } from './merge-request-comments.ts'
import { plainTitle } from './written-text.ts'

const codeRequest = mergeRequestAnswer.extend({
  target_project_id: z.int(),
  sha: z.string().nullish(),
  author: z.object({ username: z.string() }).nullish(),
  labels: z.string().array().nullish(),
  updated_at: hostTime,
})

export function gitLabCodeRequests(project: GitLabProject, comments: Comments): CodeRequests {
  return {
    list: () =>
      project.client.operation(`list merge requests in ${project.path}`, async (api) => {
        const place = `/projects/${await project.target(api)}/merge_requests`
        const query = { state: 'opened', order_by: 'updated_at', sort: 'desc', per_page: 50 }
        const requests = await api.list(place, codeRequest, { query, max: 50 })
        return requests.flatMap(toCodeRequest)
      }),
    keepComment: comments.keep,
  }
}

/** None without a commit: the branch is gone, or GitLab has not looked at it yet. */
function toCodeRequest(request: z.output<typeof codeRequest>): CodeRequest[] {
  const { iid, web_url: link, title, description, sha, author, labels, updated_at: updatedAt } = request
  if (sha == null) return []
  return [
    {
      number: iid,
      link,
      title: plainTitle(title),
      body: description ?? '',
      head: request.source_branch,
      base: request.target_branch,
      headCommit: sha,
      isFork: request.source_project_id !== request.target_project_id,
      author: author?.username ?? 'ghost',
      labels: labels ?? [],
      updatedAt,
    },
  ]
}
