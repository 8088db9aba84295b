import { z } from 'zod'
import type { HostAccess } from '../host.ts'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import { permissionName } from './advise-on-refusal.ts'
import { repositoryPath } from './github-api.ts'
import type { GitHubRepository } from './github-repository.ts'

const repositoryInfo = z.object({
  full_name: z.string(),
  default_branch: z.string(),
  archived: z.boolean().nullish(),
  permissions: z.object({ push: z.boolean().nullish() }).nullish(),
})
const needed = { contents: 'write', pull_requests: 'write' }

export function checkAccess(repository: GitHubRepository): Promise<HostAccess> {
  const { path, fork, access, client } = repository
  return client.operation(`read ${path}`, async (api) => {
    const granted = await access.permissions()
    const info = await api.get(repositoryPath(path), repositoryInfo)
    const login = granted ? await access.appLogin() : await readLogin(api)
    const archived = info.archived === true
    const missing = granted
      ? Object.entries(needed).filter(([name, level]) => granted[name] !== level && granted[name] !== 'admin')
      : // An archived repository refuses everything, whatever the token may.
        archived
        ? []
        : await tryOut(api, path, fork ?? path, info.default_branch)
    return {
      login,
      defaultBranch: info.default_branch,
      path: info.full_name,
      archived,
      missing: missing.map(([name, level]) => permissionName(name, level)),
    }
  })
}

async function readLogin(api: HostApi): Promise<string | undefined> {
  try {
    return (await api.get('/user', z.object({ login: z.string() }))).login
  } catch (error) {
    if (isAnswer(error, 403, 404)) return undefined
    throw error
  }
}

/**
 * A token does not tell what it may do, so it is asked for what can never be: a reference to no commit, and a pull
 * request of a branch into itself. Who may is told that it is invalid, who may not is told so before.
 */
async function tryOut(
  api: HostApi,
  path: string,
  pushed: string,
  branch: string,
): Promise<[name: string, level: string][]> {
  const reference = { ref: 'refs/heads/docwright/check', sha: '0'.repeat(40) }
  const request = { title: 'Check', head: branch, base: branch }
  const missing: [string, string][] = []
  if (await isRefused(api, `${repositoryPath(pushed)}/git/refs`, reference))
    missing.push(['contents', 'write'])
  if (await isRefused(api, `${repositoryPath(path)}/pulls`, request)) missing.push(['pull_requests', 'write'])
  return missing
}

async function isRefused(api: HostApi, path: string, body: unknown): Promise<boolean> {
  try {
    await api.replace('POST', path, body, z.unknown())
    return false
  } catch (error) {
    if (isAnswer(error, 400, 409, 422)) return false
    if (isAnswer(error, 403, 404)) return true
    throw error
  }
}
