import { z } from 'zod'
import type { CommitStatus, Host, HostedRepository } from '../host.ts'
import { askDirectly } from '../http/ask-directly.ts'
import type { HostLimits } from '../http/host-client-options.ts'
import { checkToken } from '../http/token-header.ts'
import { checkAccess, readPath } from './check-access.ts'
import { giteaCodeRequests } from './code-requests.ts'
import { giteaMerging } from './merge.ts'
import { ensureWebhook, removeWebhook } from '../http/ensure-webhook.ts'
import { readWebhook, webhooksOf } from './webhooks.ts'
import { openGiteaRepository, repositoryPath, type GiteaRepository } from './gitea-repository.ts'
import { findByHead } from './find-by-head.ts'
import { openPullRequest } from './open-pull-request.ts'
import { postComment, react } from './post-comment.ts'
import {
  listChangedPaths,
  listOpenPullRequests,
  readPullRequest,
  updatePullRequest,
} from './pull-requests.ts'
import { createCommentReader } from './read-comments.ts'
import { apiPath } from '../http/api-path.ts'

/** Gitea and Forgejo. Everything that is used here is the same in both. */
export function createGitea(limits: Partial<HostLimits> = {}): Host {
  return {
    kind: 'gitea',
    name: 'Gitea',
    sites: ['https://gitea.com', 'https://codeberg.org'],
    open: (ports, credential, repository, fork) =>
      hosted(openGiteaRepository(ports, credential, repository, fork, limits)),
    async detect(ports, site) {
      const answer = await askDirectly(
        ports,
        `${site.replace(/(?<!\/)\/+$/, '')}/api/v1/version`,
        limits.request,
      )
      if (answer?.status === 200) return z.object({ version: z.string() }).safeParse(answer.body).success
      // A server that requires signing in answers in these words.
      const refusal = z.object({ message: z.string() }).safeParse(answer?.body)
      return refusal.success && /signed in user/i.test(refusal.data.message)
    },
    readWebhook,
  }
}

function hosted(repository: GiteaRepository): HostedRepository {
  const { credential } = repository
  return {
    forge: {
      findByHead: (head) => findByHead(repository, head),
      open: (request) => openPullRequest(repository, request),
      update: (number, text) => updatePullRequest(repository, number, text),
      read: (number) => readPullRequest(repository, number),
      listOpen: () => listOpenPullRequests(repository),
      changedPaths: (number) => listChangedPaths(repository, number),
      commentsSince: createCommentReader(repository),
    },
    merging: giteaMerging(repository),
    codeRequests: giteaCodeRequests(repository),
    // With a token as the password, any user name will do.
    gitCredential: async () => ({
      username: credential.username ?? 'oauth2',
      password: checkToken(credential.token),
    }),
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
  repository: GiteaRepository,
  commit: string,
  { state, description, link }: CommitStatus,
): Promise<void> {
  const path = `${repositoryPath(repository.path)}${apiPath`/statuses/${commit}`}`
  const target = /^https?:\/\//.test(link) ? { target_url: link } : {}
  const body = { state, description: description.slice(0, 250), context: 'docwright', ...target }
  await repository.client.operation(`set the status of a commit in ${repository.path}`, (api) =>
    api.replace('POST', path, body, z.unknown()),
  )
}
