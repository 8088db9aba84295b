import type { ChangeRequest, Forge } from '../forge.ts'
import { isAnswer } from '../http/host-failure.ts'
import type { HostApi } from '../http/host-client.ts'
import { diffAnswer, mergeRequestAnswer } from './gitlab-answers.ts'
import type { GitLabProject } from './gitlab-project.ts'
import { plainTitle, writtenTitle } from './draft-title.ts'
import { findMergeRequest } from './find-merge-request.ts'
import type { Comments } from './merge-request-comments.ts'
import { openMergeRequest } from './open-merge-request.ts'
import { toChangeRequest } from './to-change-request.ts'
import { writtenText } from './written-text.ts'

const maxPaths = 3000

/** Merge requests of a project as change requests. */
export function createGitLabForge(project: GitLabProject, comments: Comments): Forge {
  const { client, path } = project
  const at = async (api: HostApi, number: number) =>
    `/projects/${await project.target(api)}/merge_requests/${number}`
  return {
    findByHead: (head) =>
      client.operation(`find merge requests in ${path}`, async (api) => {
        const found = await findMergeRequest(project, api, head, 'all')
        return found && toChangeRequest(project, api, found)
      }),
    open: (request) => openMergeRequest(project, request),
    update: (number, { title, body, draft: wanted, base }) =>
      client.operation(`update merge request ${number} in ${path}`, async (api): Promise<ChangeRequest> => {
        const place = await at(api, number)
        const { draft } = await api.get(place, mergeRequestAnswer)
        const text = {
          title: writtenTitle(title, draft === true && wanted !== false),
          description: writtenText(body),
          ...(base !== undefined && { target_branch: base }),
        }
        return toChangeRequest(project, api, await api.replace('PUT', place, text, mergeRequestAnswer))
      }),
    read: (number) =>
      client.operation(`read merge request ${number} in ${path}`, async (api) => {
        const found = await api.find(await at(api, number), mergeRequestAnswer)
        return found && toChangeRequest(project, api, found)
      }),
    listOpen: () =>
      client.operation(`list merge requests in ${path}`, async (api) => {
        const query = { state: 'opened', order_by: 'created_at', sort: 'desc', per_page: 50 }
        const place = `/projects/${await project.target(api)}/merge_requests`
        const found = await api.list(place, mergeRequestAnswer, { query, max: 50 })
        return found.map(({ iid, web_url, title, source_branch }) => ({
          number: iid,
          link: web_url,
          title: plainTitle(title),
          head: source_branch,
        }))
      }),
    changedPaths: (number) =>
      client.operation(`read the files of merge request ${number} in ${path}`, async (api) => {
        const place = `${await at(api, number)}/diffs`
        try {
          const diffs = await api.list(place, diffAnswer, { query: { per_page: 100 }, max: maxPaths })
          const paths = diffs.flatMap(({ new_path, old_path }) => [new_path, old_path])
          return [...new Set(paths.filter((path) => typeof path === 'string'))].slice(0, maxPaths)
        } catch (error) {
          if (isAnswer(error, 404)) return []
          throw error
        }
      }),
    commentsSince: comments.since,
  }
}
