import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import type { HostAccess } from '../host.ts'
import type { HostApi } from '../http/host-client.ts'
import { hostTime } from '../http/host-time.ts'
import type { Project } from './gitlab-answers.ts'
import { whenAllowed, type GitLabProject } from './gitlab-project.ts'

const developer = 30

export async function checkAccess(project: GitLabProject): Promise<HostAccess> {
  return project.client.operation(`read the project ${project.path}`, async (api) => {
    const target = await project.readTarget(api)
    const source = project.isFork ? await project.readSource(api) : target
    const user = await findUser(api)
    const token = await findToken(api)
    const missing = [
      ...missingScopes(token?.scopes),
      ...missingRoles(project, target, source, user?.is_admin),
    ]
    if (!target.default_branch) {
      throw new AppError('not_found', `${project.path} has no branch on GitLab yet: push a first commit`)
    }
    return {
      login: user?.username,
      defaultBranch: target.default_branch,
      path: target.path_with_namespace,
      archived: target.archived === true,
      missing,
      expiresAt: token?.expires_at ?? undefined,
    }
  })
}

function missingRoles(
  project: GitLabProject,
  target: Project,
  source: Project,
  isAdmin: boolean | null | undefined,
): string[] {
  const missing: string[] = []
  if (isAdmin !== true && levelOf(source) < developer) {
    missing.push(`the role Developer in ${source.path_with_namespace}`)
  }
  if (project.isFork && target.can_create_merge_request_in === false) {
    missing.push(`a role in ${target.path_with_namespace} that may open merge requests`)
  }
  if (target.merge_requests_access_level === 'disabled') {
    missing.push(`merge requests, which are switched off in ${target.path_with_namespace}`)
  }
  return missing
}

function levelOf({ permissions }: Project): number {
  const { project_access, group_access } = permissions ?? {}
  return Math.max(project_access?.access_level ?? 0, group_access?.access_level ?? 0)
}

function missingScopes(scopes: readonly string[] | undefined): string[] {
  if (scopes === undefined || scopes.includes('api')) return []
  return ['the scope api', ...(scopes.includes('write_repository') ? [] : ['the scope write_repository'])]
}

async function findToken(api: HostApi) {
  // The token expires at the beginning of this day, by the host's clock.
  const answer = z.object({ scopes: z.array(z.string()), expires_at: hostTime.nullish().catch(undefined) })
  return whenAllowed(() => api.find('/personal_access_tokens/self', answer))
}

async function findUser(api: HostApi) {
  const answer = z.object({ username: z.string(), is_admin: z.boolean().nullish() })
  return whenAllowed(() => api.find('/user', answer))
}
