import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import type { ChangeRequest, NewRequest } from '../forge.ts'
import type { HostApi } from '../http/host-client.ts'
import { HostFailure, isAnswer } from '../http/host-failure.ts'
import { pullRequestAnswer, type PullRequest } from './bitbucket-answers.ts'
import { listPages, type BitbucketRepository } from './bitbucket-repository.ts'
import { newText } from '../own-part.ts'
import { hiddenMarks } from './hidden-marks.ts'
import { branchExists, findPullRequest, toChangeRequest } from './find-pull-request.ts'

const maxTitle = 255

/**
 * Looks for an open pull request before it opens one, and again when it cannot tell whether opening worked. When
 * two processes ask at once, Bitbucket answers the second with the pull request of the first. Bitbucket has no
 * labels and no assignees.
 */
export async function openPullRequest(
  repository: BitbucketRepository,
  request: NewRequest,
): Promise<ChangeRequest> {
  return repository.client.operation(`open a pull request in ${repository.path}`, async (api) => {
    const opened = await findPullRequest(repository, api, request.head, 'open')
    const existing = opened && (await toChangeRequest(repository, api, opened))
    if (existing?.state === 'open') return existing
    await requireBranches(repository, api, request)
    return toChangeRequest(repository, api, await create(repository, api, request))
  })
}

function writtenTitle(title: string): string {
  return Array.from(title.trim()).slice(0, maxTitle).join('')
}

async function create(
  repository: BitbucketRepository,
  api: HostApi,
  request: NewRequest,
): Promise<PullRequest> {
  const { title, body, template, head, base, draft } = request
  const wanted = {
    title: writtenTitle(title),
    description: newText(hiddenMarks, body, template),
    source: { branch: { name: head }, repository: { full_name: await repository.sourceName(api) } },
    destination: { branch: { name: base } },
    close_source_branch: false,
    draft,
  }
  const reviewers = await findReviewers(repository, api, request.reviewers ?? [])
  const post = (body: unknown) =>
    api.create(`${repository.target}/pullrequests`, body, pullRequestAnswer, () =>
      findPullRequest(repository, api, head, 'open'),
    )
  try {
    return await post(reviewers.length > 0 ? { ...wanted, reviewers } : wanted)
  } catch (error) {
    if (!isAnswer(error, 400)) throw error
    // The author cannot be a reviewer, and a person may have left the workspace: open it without reviewers.
    if (reviewers.length > 0 && /reviewer/i.test(error.detail)) return post(wanted)
    if (/no changes/i.test(error.detail)) throw nothingNew(request, error)
    throw error
  }
}

// Bitbucket answers each of these cases with "bad request" alone, so the reason is looked up here.
async function requireBranches(
  { target, source }: BitbucketRepository,
  api: HostApi,
  request: NewRequest,
): Promise<void> {
  const { head, base } = request
  if (!(await branchExists(api, source, head))) {
    throw new AppError('not_found', `Branch ${JSON.stringify(head)} not found on Bitbucket. Push it first`)
  }
  if (!(await branchExists(api, target, base))) {
    throw new AppError(
      'not_found',
      `Branch ${JSON.stringify(base)} not found on Bitbucket. Choose another base`,
    )
  }
  if (source !== target) return
  const answer = z.object({ values: z.array(z.unknown()) })
  const commits = await api.get(`${target}/commits`, answer, {
    include: head,
    exclude: base,
    pagelen: 1,
  })
  if (commits.values.length === 0) throw nothingNew(request)
}

function nothingNew({ head, base }: NewRequest, cause?: unknown): AppError {
  return new AppError('conflict', `${base} already has everything that ${head} has`, { cause })
}

const memberAnswer = z.object({
  user: z.object({ uuid: z.string(), nickname: z.string().nullish(), display_name: z.string().nullish() }),
})

/**
 * Finds members of the workspace by nickname, display name or `{uuid}`, the only names that Bitbucket has for
 * people. Finds none where the credential may not list members, as with the access token of a repository; a uuid
 * works there too.
 */
async function findReviewers(
  { target }: BitbucketRepository,
  api: HostApi,
  names: readonly string[],
): Promise<{ uuid: string }[]> {
  const isId = (name: string) => /^\{[0-9a-f-]{36}\}$/i.test(name)
  const ids = names.filter(isId)
  const others = new Set(names.filter((name) => !isId(name)).map((name) => name.toLowerCase()))
  const members = others.size > 0 ? await readMembers(target.split('/')[2] ?? '', api) : []
  const named = members
    .filter(({ user }) =>
      [user.nickname, user.display_name].some((name) => others.has(name?.toLowerCase() ?? '')),
    )
    .map(({ user }) => user.uuid)
  return [...new Set([...ids, ...named])].slice(0, 20).map((uuid) => ({ uuid }))
}

async function readMembers(workspace: string, api: HostApi) {
  try {
    const query = { pagelen: 100 }
    return await listPages(api, `/workspaces/${workspace}/members`, memberAnswer, { query, max: 1000 })
  } catch (error) {
    if (error instanceof HostFailure) return []
    throw error
  }
}
