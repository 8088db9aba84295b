import { AppError } from '../../../lib/errors.ts'
import type { CommitStatus, Host } from '../host.ts'
import { askDirectly } from '../http/ask-directly.ts'
import type { HostLimits } from '../http/host-client-options.ts'
import { readDetail } from '../http/read-detail.ts'
import { checkToken } from '../http/token-header.ts'
import { checkAccess } from './check-access.ts'
import { createGitLabForge } from './merge-requests.ts'
import { createGitLabProject, type GitLabProject } from './gitlab-project.ts'
import { createComments } from './merge-request-comments.ts'
import { readWebhook, webhooksOf } from './webhooks.ts'
import { gitLabCodeRequests } from './code-requests.ts'
import { gitLabMerging } from './merge.ts'
import { ensureWebhook, removeWebhook } from '../http/ensure-webhook.ts'
import { z } from 'zod'
import { apiPath } from '../http/api-path.ts'
import { isAnswer } from '../http/host-failure.ts'

/** gitlab.com and self-managed GitLab, also below a path, with personal, project and group access tokens. */
export function createGitLab(limits: Partial<HostLimits> = {}): Host {
  return {
    kind: 'gitlab',
    name: 'GitLab',
    sites: ['https://gitlab.com'],
    open(ports, credential, repository, fork) {
      if (credential.kind !== 'token') {
        throw new AppError('invalid', 'GitLab takes a project, group or personal access token: set one')
      }
      const token = checkToken(credential.token)
      const project = createGitLabProject(ports, token, repository, fork, limits)
      const comments = createComments(project)
      return {
        forge: createGitLabForge(project, comments),
        merging: gitLabMerging(project),
        codeRequests: gitLabCodeRequests(project, comments),
        gitCredential: async () => ({ username: credential.username ?? 'oauth2', password: token }),
        checkAccess: () => checkAccess(project),
        presentPath: () =>
          project.client.operation(
            `read the project ${project.path}`,
            async (api) => (await project.readTarget(api)).path_with_namespace,
          ),
        postComment: comments.post,
        react: comments.react,
        scarceUntil: () => project.client.scarceUntil(),
        setStatus: (commit, status) => setStatus(project, commit, status),
        ensureWebhook: (url, secret) => ensureWebhook(webhooksOf(project), url, secret),
        removeWebhook: (url) => removeWebhook(webhooksOf(project), url),
      }
    },
    async detect(ports, site) {
      // Every GitLab has this address and refuses it without a token, in words that no other host uses.
      const answer = await askDirectly(ports, `${site}/api/v4/version`, limits.request)
      return answer?.status === 401 && readDetail(answer.body) === '401 Unauthorized'
    },
    readWebhook,
  }
}

const states = { pending: 'pending', success: 'success', failure: 'failed' } as const

async function setStatus(
  project: GitLabProject,
  commit: string,
  { state, description, link }: CommitStatus,
): Promise<void> {
  await project.client.operation(`set the status of a commit in ${project.path}`, async (api) => {
    // The commit is in the project that branches are pushed to.
    const place = apiPath`/projects/${await project.source(api)}/statuses/${commit}`
    const status = {
      state: states[state],
      name: 'docwright',
      description: Array.from(description).slice(0, 255).join(''),
      target_url: link,
    }
    try {
      await api.replace('POST', place, status, z.unknown())
    } catch (error) {
      // GitLab refuses to set the state that the commit already has.
      if (!isAnswer(error, 400) || !error.detail.includes('Cannot transition status')) throw error
    }
  })
}
