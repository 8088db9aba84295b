import { AppError } from '../../../lib/errors.ts'
import type { Host } from '../host.ts'
import type { HostLimits } from '../http/host-client-options.ts'
import { createBitbucketForge } from './bitbucket-forge.ts'
import { createBitbucketRepository } from './bitbucket-repository.ts'
import { checkAccess } from './check-access.ts'
import { ensureWebhook, removeWebhook } from '../http/ensure-webhook.ts'
import { webhooksOf } from './webhooks.ts'
import { createComments } from './pull-request-comments.ts'
import { readWebhook } from './read-webhook.ts'
import { setStatus } from './set-status.ts'

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
        gitCredential: async () => repository.gitCredential,
        checkAccess: () => checkAccess(repository),
        postComment: comments.post,
        // Bitbucket has no reactions that others can make by its API.
        react: async () => undefined,
        scarceUntil: () => repository.client.scarceUntil(),
        setStatus: (commit, status) => setStatus(repository, commit, status),
        ensureWebhook: (url, secret) => ensureWebhook(webhooksOf(repository), url, secret),
        removeWebhook: (url) => removeWebhook(webhooksOf(repository), url),
      }
    },
    // There is only one.
    detect: async () => false,
    readWebhook,
  }
}
