import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import type { ChangeRequest, NewRequest } from '../forge.ts'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import { mergeRequestAnswer } from './gitlab-answers.ts'
import type { MergeRequest } from './gitlab-answers.ts'
import type { GitLabProject } from './gitlab-project.ts'
import { writtenTitle } from './draft-title.ts'
import { findMergeRequest } from './find-merge-request.ts'
import { attention } from './attention.ts'
import { branchExists, toChangeRequest } from './to-change-request.ts'
import { writtenText } from './written-text.ts'

/** Looks before it opens, and again when it does not know what came of it. */
export async function openMergeRequest(project: GitLabProject, request: NewRequest): Promise<ChangeRequest> {
  return project.client.operation(`open a merge request in ${project.path}`, async (api) => {
    const found = await findMergeRequest(project, api, request.head, 'opened')
    const existing = found && (await toChangeRequest(project, api, found))
    if (existing?.state === 'open') return existing
    await requireCommits(project, api, request)
    return toChangeRequest(project, api, await create(project, api, request))
  })
}

async function create(project: GitLabProject, api: HostApi, request: NewRequest): Promise<MergeRequest> {
  const { title, body, head, base, draft } = request
  const [target, source] = [await project.target(api), await project.source(api)]
  const find = () => findMergeRequest(project, api, head, 'opened')
  const wanted = {
    title: writtenTitle(title, draft),
    description: writtenText(body),
    source_branch: head,
    target_branch: base,
    target_project_id: target,
    remove_source_branch: false,
    ...(await attention(api, request)),
  }
  try {
    return await api.create(`/projects/${source}/merge_requests`, wanted, mergeRequestAnswer, find)
  } catch (error) {
    if (isAnswer(error, 409)) {
      const found = (await find()) ?? (await findNamed(api, target, error.detail, head))
      if (found) return found
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

// The list may lag behind what the refusal already knows.
async function findNamed(
  api: HostApi,
  target: number,
  detail: string,
  head: string,
): Promise<MergeRequest | undefined> {
  const number = /!(\d{1,15})/.exec(detail)?.[1]
  if (number === undefined) return undefined
  const found = await api.find(`/projects/${target}/merge_requests/${number}`, mergeRequestAnswer)
  return found?.source_branch === head ? found : undefined
}

// GitLab opens merge requests without changes too.
async function requireCommits(
  project: GitLabProject,
  api: HostApi,
  { head, base }: NewRequest,
): Promise<void> {
  const [target, source] = [await project.target(api), await project.source(api)]
  if (!(await branchExists(api, source, head))) {
    throw new AppError('not_found', `GitLab knows no branch ${JSON.stringify(head)}: push it first`)
  }
  const comparison = await api.find(
    `/projects/${source}/repository/compare`,
    z.object({ commits: z.array(z.unknown()) }),
    { from: base, to: head, ...(target === source ? {} : { from_project_id: target }) },
  )
  if (comparison === undefined) {
    throw new AppError('not_found', `GitLab knows no branch ${JSON.stringify(base)}: choose another base`)
  }
  if (comparison.commits.length === 0) {
    throw new AppError('conflict', `${base} already has everything that ${head} has`)
  }
}
