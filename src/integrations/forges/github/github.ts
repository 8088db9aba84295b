import type { CommitStatus, Host, HostedRepository } from '../host.ts'
import type { HostLimits } from '../http/host-client-options.ts'
import { askDirectly } from '../http/ask-directly.ts'
import { checkAccess, readPath } from './check-access.ts'
import { gitHubCodeRequests } from './code-requests.ts'
import { gitHubMerging } from './merge.ts'
import { ensureWebhook, removeWebhook } from '../http/ensure-webhook.ts'
import { readWebhook, webhooksOf } from './webhooks.ts'
import { apiBase, repositoryPath } from './github-api.ts'
import { openGitHubRepository, type GitHubRepository } from './github-repository.ts'
import { openPullRequest } from './open-pull-request.ts'
import { postComment, react, readComments } from './read-comments.ts'
import {
  findByHead,
  listChangedPaths,
  listOpenPullRequests,
  readPullRequest,
  updatePullRequest,
} from './pull-requests.ts'
import { z } from 'zod'
import { apiPath } from '../http/api-path.ts'

/** GitHub: github.com, GitHub Enterprise Cloud with data residency, and Enterprise Server. */
export function createGitHub(limits: Partial<HostLimits> = {}): Host {
  return {
    kind: 'github',
    name: 'GitHub',
    sites: ['https://github.com'],
    open: (ports, credential, repository, fork) =>
      hosted(openGitHubRepository(ports, credential, repository, fork, limits)),
    async detect(ports, site) {
      const answer = await askDirectly(ports, `${apiBase(site)}/meta`, limits.request)
      // A server in private mode answers 401, but still says that it is GitHub.
      return (
        answer !== undefined &&
        [...answer.headers.keys()].some((name) => name.startsWith('x-github-')) &&
        [200, 401, 403].includes(answer.status)
      )
    },
    readWebhook,
  }
}

function hosted(repository: GitHubRepository): HostedRepository {
  return {
    forge: {
      findByHead: (head) => findByHead(repository, head),
      open: (request) => openPullRequest(repository, request),
      update: (number, text) => updatePullRequest(repository, number, text),
      read: (number) => readPullRequest(repository, number),
      listOpen: () => listOpenPullRequests(repository),
      changedPaths: (number) => listChangedPaths(repository, number),
      commentsSince: (number, since) => readComments(repository, number, since),
    },
    merging: gitHubMerging(repository),
    codeRequests: gitHubCodeRequests(repository),
    async gitCredential(target = 'repository', renew = false) {
      const access = target === 'fork' ? (repository.forkAccess ?? repository.access) : repository.access
      return { username: 'x-access-token', password: await access.token('git', renew) }
    },
    checkAccess: () => checkAccess(repository),
    presentPath: () => readPath(repository),
    postComment: (number, body, marker) => postComment(repository, number, body, marker),
    react: (number, commentId) => react(repository, number, commentId),
    scarceUntil: () => repository.client.scarceUntil(),
    setStatus: (commit, status) => setStatus(repository, commit, status),
    ensureWebhook: (url, secret) => ensureWebhook(webhooksOf(repository), url, secret),
    removeWebhook: (url) => removeWebhook(webhooksOf(repository), url),
  }
}

/** Only the newest status of a context counts, so setting it again changes nothing. */
async function setStatus(
  repository: GitHubRepository,
  commit: string,
  { state, description, link }: CommitStatus,
): Promise<void> {
  const path = `${repositoryPath(repository.path)}${apiPath`/statuses/${commit}`}`
  const short = description.length > 140 ? `${description.slice(0, 139)}…` : description
  const target = /^https?:\/\//.test(link) ? { target_url: link } : {}
  await repository.client.operation(`set the status of a commit in ${repository.path}`, (api) =>
    api.replace('POST', path, { state, description: short, context: 'docwright', ...target }, z.unknown()),
  )
}
