import { AppError } from '../../../lib/errors.ts'
import type { ChangeRequest, Forge } from '../forge.ts'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import { diffstatAnswer, pullRequestAnswer, type PullRequest } from './bitbucket-answers.ts'
import { listPages, type BitbucketRepository } from './bitbucket-repository.ts'
import { findPullRequest, toChangeRequest } from './find-pull-request.ts'
import { replaceOwnText } from '../own-part.ts'
import { hiddenMarks } from './hidden-marks.ts'
import { openPullRequest } from './open-pull-request.ts'

const maxPaths = 3000

/** Pull requests of a repository as change requests. */
export function createBitbucketForge(
  repository: BitbucketRepository,
  commentsSince: Forge['commentsSince'],
): Forge {
  const { client, path, target } = repository
  return {
    findByHead: (head) =>
      client.operation(`find pull requests in ${path}`, async (api) => {
        const request = await findPullRequest(repository, api, head, 'all')
        return request && toChangeRequest(repository, api, request)
      }),
    open: (request) => openPullRequest(repository, request),
    update: (number, { draft: asked, base, state, body, former }) =>
      client.operation(`update pull request ${number} in ${path}`, async (api): Promise<ChangeRequest> => {
        const place = `${target}/pullrequests/${number}`
        const request = await api.get(place, pullRequestAnswer)
        if (state !== undefined) return toChangeRequest(repository, api, await decline(api, place, request))
        if (request.state !== 'OPEN') {
          throw new AppError(
            'conflict',
            `Pull request ${number} in ${path} is no longer open. Bitbucket can only change open pull requests`,
          )
        }
        const { title, description, reviewers, draft, close_source_branch, destination } = request
        const wanted = {
          description:
            body === undefined
              ? (description ?? '')
              : replaceOwnText(hiddenMarks, description ?? '', { body, former }),
          // Bitbucket resets the fields that a request leaves out.
          title,
          destination: { branch: { name: base ?? destination.branch.name } },
          reviewers: (reviewers ?? []).map(({ uuid }) => ({ uuid })),
          ...(typeof draft === 'boolean' ? { draft: draft && asked !== false } : {}),
          ...(typeof close_source_branch === 'boolean' ? { close_source_branch } : {}),
        }
        const updated = await api.replace('PUT', place, wanted, pullRequestAnswer)
        return toChangeRequest(repository, api, updated)
      }),
    read: (number) =>
      client.operation(`read pull request ${number} in ${path}`, async (api) => {
        const request = await api.find(`${target}/pullrequests/${number}`, pullRequestAnswer)
        return request && toChangeRequest(repository, api, request)
      }),
    listOpen: () =>
      client.operation(`list pull requests in ${path}`, async (api) => {
        const query = { state: 'OPEN', sort: '-created_on', pagelen: 50 }
        const open = await listPages(api, `${target}/pullrequests`, pullRequestAnswer, { query, max: 50 })
        return open.map(({ id, links, title, source }) => ({
          number: id,
          link: links.html.href,
          title,
          head: source.branch.name,
        }))
      }),
    changedPaths: (number) =>
      client.operation(`read the files of pull request ${number} in ${path}`, async (api) => {
        const place = `${target}/pullrequests/${number}/diffstat`
        try {
          const files = await listPages(api, place, diffstatAnswer, { max: maxPaths })
          const paths = files.flatMap((file) => [file.new?.path, file.old?.path])
          return [...new Set(paths.filter((path) => path !== undefined))].slice(0, maxPaths)
        } catch (error) {
          if (isAnswer(error, 404)) return []
          throw error
        }
      }),
    commentsSince,
  }
}

async function decline(api: HostApi, place: string, request: PullRequest): Promise<PullRequest> {
  if (request.state !== 'OPEN') return request
  return api.create(`${place}/decline`, undefined, pullRequestAnswer, async () => {
    const now = await api.get(place, pullRequestAnswer)
    return now.state === 'OPEN' ? undefined : now
  })
}
