import { AppError } from '../../../lib/errors.ts'
import type { CommitStatus, Host } from '../host.ts'
import type { HostLimits } from '../http/host-client-options.ts'
import { createBitbucketForge } from './pull-requests.ts'
import { createBitbucketRepository, type BitbucketRepository } from './bitbucket-repository.ts'
import { checkAccess, readPath } from './check-access.ts'
import { bitbucketCodeRequests } from './code-requests.ts'
import { bitbucketMerging } from './merge.ts'
import { ensureWebhook, removeWebhook } from '../http/ensure-webhook.ts'
import { readWebhook, webhooksOf } from './webhooks.ts'
import { createComments } from './pull-request-comments.ts'
import { z } from 'zod'
import { apiPath } from '../http/api-path.ts'

/**
 * bitbucket.org, with the access token of a repository, project or workspace. With an e-mail address as user name, the
 * token is an API token of that person. Bitbucket Server and Data Center are another product and not meant.
 */
export function createBitbucket(limits: Partial<HostLimits> = {}): Host {
  return {
    kind: 'bitbucket',
    name: 'Bitbucket',
    sites: ['https://bitbucket.org'],
    open(ports, credential, address, fork) {
      if (credential.kind !== 'token') {
        throw new AppError(
          'invalid',
          'Bitbucket takes the access token of a repository or workspace: set one',
        )
      }
      const repository = createBitbucketRepository(ports, credential, address, fork, limits)
      const comments = createComments(repository)
      return {
        forge: createBitbucketForge(repository, comments.since),
        merging: bitbucketMerging(repository),
        codeRequests: bitbucketCodeRequests(repository, comments),
        gitCredential: async () => repository.gitCredential,
        checkAccess: () => checkAccess(repository),
        presentPath: () => readPath(repository),
        postComment: comments.post,
        // Bitbucket's API has no reactions to comments.
        react: async () => undefined,
        scarceUntil: () => repository.client.scarceUntil(),
        setStatus: (commit, status) => setStatus(repository, commit, status),
        ensureWebhook: (url, secret) => ensureWebhook(webhooksOf(repository), url, secret),
        removeWebhook: (url) => removeWebhook(webhooksOf(repository), url),
      }
    },
    // There is only one Bitbucket Cloud.
    detect: async () => false,
    readWebhook,
  }
}

const states = { pending: 'INPROGRESS', success: 'SUCCESSFUL', failure: 'FAILED' } as const

async function setStatus(
  { client, path, source }: BitbucketRepository,
  commit: string,
  { state, description, link }: CommitStatus,
): Promise<void> {
  await client.operation(`set the status of a commit in ${path}`, async (api) => {
    const status = {
      // A status replaces the one with the same key. A key has at most 40 characters.
      key: 'docwright',
      name: 'Docwright',
      state: states[state],
      description: Array.from(description).slice(0, 255).join(''),
      url: link,
    }
    await api.replace('POST', `${source}/commit${apiPath`/${commit}`}/statuses/build`, status, z.unknown())
  })
}
