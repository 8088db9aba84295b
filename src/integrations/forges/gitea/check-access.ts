import { z } from 'zod'
import type { HostAccess } from '../host.ts'
import { apiPath } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import { listWriters } from './writers.ts'
import { repositoryPath, type GiteaRepository } from './gitea-repository.ts'

const repositoryInfo = z.object({
  full_name: z.string(),
  default_branch: z.string(),
  archived: z.boolean().nullish(),
  has_pull_requests: z.boolean().nullish(),
  permissions: z.object({ push: z.boolean().nullish(), admin: z.boolean().nullish() }).nullish(),
})

export function checkAccess(repository: GiteaRepository): Promise<HostAccess> {
  const { path, fork, client } = repository
  return client.operation(`read ${path}`, async (api) => {
    const info = await readRepository(api, path)
    const pushed = fork === undefined ? info : await api.get(repositoryPath(fork), repositoryInfo)
    const missing: string[] = []
    if (pushed.permissions?.push !== true) missing.push(`write access to ${pushed.full_name}`)
    if (info.has_pull_requests === false) missing.push(`pull requests switched on in ${info.full_name}`)
    const archived = info.archived === true
    const lacking = archived ? [] : await tryScopes(api, repository)
    return {
      login: await readLogin(api),
      defaultBranch: info.default_branch,
      path: info.full_name,
      archived,
      missing: [...missing, ...lacking.filter((scope) => scope !== forReplies)],
      missingForReplies: lacking.find((scope) => scope === forReplies),
      missingForComments: await missingForComments(api, repository, info.permissions?.admin === true),
    }
  })
}

export function readPath({ path, client }: GiteaRepository): Promise<string> {
  return client.operation(`read ${path}`, async (api) => (await readRepository(api, path)).full_name)
}

function readRepository(api: HostApi, path: string): Promise<z.output<typeof repositoryInfo>> {
  return api.get(repositoryPath(path), repositoryInfo).catch(async (error: unknown) => {
    // Old servers treat a wrong token like none, and only refuse it where a user is required.
    if (isAnswer(error, 404)) await readLogin(api)
    throw error
  })
}

async function missingForComments(
  api: HostApi,
  repository: GiteaRepository,
  isAdmin: boolean,
): Promise<string | undefined> {
  if ((await listWriters(api, repository, isAdmin)).others !== 'unknown') return undefined
  const { path } = repository
  const teams = `membership in every team that writes to ${path} or in that of the owners, with the scope read:organization`
  return isAdmin ? teams : `administration of ${path}, or ${teams}`
}

async function readLogin(api: HostApi): Promise<string | undefined> {
  try {
    return (await api.get('/user', z.object({ login: z.string() }))).login
  } catch (error) {
    // Reading the own account needs another scope.
    if (isAnswer(error, 403, 404)) return undefined
    throw error
  }
}

const forReplies = 'the scope write:issue'

/**
 * Gitea does not tell the scopes of a token, so it is tried on things that cannot exist: the pull request and the
 * comment with number zero. Gitea checks scopes first.
 */
async function tryScopes(api: HostApi, { path }: GiteaRepository): Promise<string[]> {
  const base = repositoryPath(path)
  const missing: string[] = []
  if (await lacksScope(api, `${base}${apiPath`/pulls/${0}`}`, {})) missing.push('the scope write:repository')
  if (await lacksScope(api, `${base}${apiPath`/issues/comments/${0}`}`, { body: 'x' }))
    missing.push(forReplies)
  return missing
}

async function lacksScope(api: HostApi, path: string, body: unknown): Promise<boolean> {
  try {
    await api.replace('PATCH', path, body, z.unknown())
    return false
  } catch (error) {
    if (isAnswer(error, 403)) return /scope/i.test(error.detail)
    if (isAnswer(error, 400, 404, 405, 422)) return false
    throw error
  }
}
