import type { ChangeRequest, Forge, NewRequest } from '../forge.ts'
import { HostFailure, isAnswer } from '../http/host-failure.ts'
import type { HostApi } from '../http/host-client.ts'
import { diffAnswer, mergeRequestAnswer, type MergeRequest } from './gitlab-answers.ts'
import type { GitLabProject } from './gitlab-project.ts'
import { commentMarks, newText, replaceOwnText } from '../own-part.ts'
import { plainTitle, withoutCommands, writtenText, writtenTitle } from './written-text.ts'
import type { Comments } from './merge-request-comments.ts'
import { z } from 'zod'
import { apiPath } from '../http/api-path.ts'
import { AppError } from '../../../lib/errors.ts'

const maxPaths = 3000

/** Merge requests of a project as change requests. */
export function createGitLabForge(project: GitLabProject, comments: Comments): Forge {
  const { client, path } = project
  const at = async (api: HostApi, number: number) =>
    `/projects/${await project.target(api)}/merge_requests/${number}`
  return {
    findByHead: (head) =>
      client.operation(`find merge requests in ${path}`, async (api) => {
        const request = await findMergeRequest(project, api, head, 'all')
        return request && toChangeRequest(project, api, request)
      }),
    open: (request) => openMergeRequest(project, request),
    update: (number, { draft: wanted, base, state, body, former }) =>
      client.operation(`update merge request ${number} in ${path}`, async (api): Promise<ChangeRequest> => {
        const place = await at(api, number)
        const present = await api.get(place, mergeRequestAnswer)
        const { draft, title, description } = present
        const isLeft = state !== undefined && present.state !== 'opened'
        const change = {
          ...(body !== undefined && {
            description: replaceOwnText(commentMarks, description ?? '', { body, former }, writtenText),
          }),
          ...(draft === true && wanted === false && { title: writtenTitle(title, false) }),
          ...(base !== undefined && { target_branch: base }),
          ...(state !== undefined && { state_event: 'close' }),
        }
        const isSame = isLeft || Object.keys(change).length === 0
        const now = isSame ? present : await api.replace('PUT', place, change, mergeRequestAnswer)
        return toChangeRequest(project, api, now)
      }),
    read: (number) =>
      client.operation(`read merge request ${number} in ${path}`, async (api) => {
        const request = await api.find(await at(api, number), mergeRequestAnswer)
        return request && toChangeRequest(project, api, request)
      }),
    listOpen: () =>
      client.operation(`list merge requests in ${path}`, async (api) => {
        const query = { state: 'opened', order_by: 'created_at', sort: 'desc', per_page: 50 }
        const place = `/projects/${await project.target(api)}/merge_requests`
        const requests = await api.list(place, mergeRequestAnswer, { query, max: 50 })
        return requests.map(({ iid, web_url, title, source_branch }) => ({
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

/** An open merge request whose branch was deleted counts as closed: GitLab keeps it open, but it cannot be merged. */
export async function toChangeRequest(
  project: GitLabProject,
  api: HostApi,
  found: MergeRequest,
): Promise<ChangeRequest> {
  const { iid, web_url, state, source_branch, target_branch, source_project_id, draft } = found
  const isMerged = state === 'merged'
  const isOpen = !isMerged && state !== 'closed'
  const source = await project.source(api)
  // The credential may not be able to see other people's forks.
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

async function branchExists(api: HostApi, project: number, branch: string): Promise<boolean> {
  const answer = z.object({ name: z.string() })
  const existing = await api.find(apiPath`/projects/${project}/repository/branches/${branch}`, answer)
  return existing !== undefined
}

/** Looks for an open merge request before it opens one, and again when it cannot tell whether opening worked. */
async function openMergeRequest(project: GitLabProject, request: NewRequest): Promise<ChangeRequest> {
  return project.client.operation(`open a merge request in ${project.path}`, async (api) => {
    const opened = await findMergeRequest(project, api, request.head, 'opened')
    const existing = opened && (await toChangeRequest(project, api, opened))
    if (existing?.state === 'open') return existing
    await requireCommits(project, api, request)
    return toChangeRequest(project, api, await create(project, api, request))
  })
}

async function create(project: GitLabProject, api: HostApi, request: NewRequest): Promise<MergeRequest> {
  const { title, body, template, head, base, draft } = request
  const [target, source] = [await project.target(api), await project.source(api)]
  const find = () => findMergeRequest(project, api, head, 'opened')
  const wanted = {
    title: writtenTitle(title, draft),
    description: writtenText(newText(commentMarks, body, template && withoutCommands(template))),
    source_branch: head,
    target_branch: base,
    target_project_id: target,
    remove_source_branch: false,
    // People who may merge can push to the branch of a fork.
    ...(target !== source && { allow_collaboration: true }),
    ...(await attention(api, request)),
  }
  try {
    return await api.create(`/projects/${source}/merge_requests`, wanted, mergeRequestAnswer, find)
  } catch (error) {
    if (isAnswer(error, 409)) {
      const existing = (await find()) ?? (await findNamed(api, target, error.detail, head))
      if (existing) return existing
    }
    if (isAnswer(error, 403) && (await project.readTarget(api)).archived === true) {
      throw new AppError(
        'forbidden',
        `${project.path} is archived on GitLab, where nothing can be opened: unarchive it in its settings`,
        { cause: error },
      )
    }
    throw error
  }
}

// The refusal may name a merge request that the list does not show yet.
async function findNamed(
  api: HostApi,
  target: number,
  detail: string,
  head: string,
): Promise<MergeRequest | undefined> {
  const number = /!(\d{1,15})/.exec(detail)?.[1]
  if (number === undefined) return undefined
  const request = await api.find(`/projects/${target}/merge_requests/${number}`, mergeRequestAnswer)
  return request?.source_branch === head ? request : undefined
}

// GitLab would also open a merge request without changes.
async function requireCommits(
  project: GitLabProject,
  api: HostApi,
  { head, base }: NewRequest,
): Promise<void> {
  const [target, source] = [await project.target(api), await project.source(api)]
  if (!(await branchExists(api, source, head))) {
    throw new AppError('not_found', `Branch ${JSON.stringify(head)} not found on GitLab. Push it first`)
  }
  const comparison = await api.find(
    `/projects/${source}/repository/compare`,
    z.object({ commits: z.array(z.unknown()) }),
    { from: base, to: head, ...(target === source ? {} : { from_project_id: target }) },
  )
  if (comparison === undefined) {
    throw new AppError('not_found', `Branch ${JSON.stringify(base)} not found on GitLab. Choose another base`)
  }
  if (comparison.commits.length === 0) {
    throw new AppError('conflict', `${base} already has everything that ${head} has`)
  }
}

const maxNames = 20
const userAnswer = z.object({ id: z.int(), username: z.string() })

/** Labels and people of a new merge request, in GitLab's fields. People that GitLab does not know are left out. */
async function attention(api: HostApi, request: NewRequest): Promise<Record<string, unknown>> {
  const { labels = [], reviewers = [], assignees = [] } = request
  const reviewer_ids = await userIds(api, reviewers)
  const assignee_ids = await userIds(api, assignees)
  return {
    ...(labels.length > 0 ? { labels: labels.slice(0, maxNames) } : {}),
    ...(reviewer_ids.length > 0 ? { reviewer_ids } : {}),
    ...(assignee_ids.length > 0 ? { assignee_ids } : {}),
  }
}

async function userIds(api: HostApi, names: readonly string[]): Promise<number[]> {
  const ids: number[] = []
  for (const username of new Set(names.slice(0, maxNames))) {
    try {
      const [user] = await api.get('/users', userAnswer.array(), { username })
      if (user?.username.toLowerCase() === username.toLowerCase()) ids.push(user.id)
    } catch (error) {
      if (!(error instanceof HostFailure)) throw error
    }
  }
  return ids
}

/**
 * The newest merge request of a branch. Merge requests from other people's forks are ignored, even if their branch
 * has the same name.
 */
async function findMergeRequest(
  project: GitLabProject,
  api: HostApi,
  head: string,
  state: 'all' | 'opened',
): Promise<MergeRequest | undefined> {
  const [target, source] = [await project.target(api), await project.source(api)]
  const isOurs = (request: MergeRequest) =>
    request.source_branch === head && request.source_project_id === source
  const query = { source_branch: head, state, order_by: 'created_at', sort: 'desc', per_page: 100 }
  const requests = await api.list(`/projects/${target}/merge_requests`, mergeRequestAnswer, {
    query,
    max: 500,
    until: (page) => page.some(isOurs),
  })
  return requests.find(isOurs)
}
