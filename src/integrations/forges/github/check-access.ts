import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
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
  has_pull_requests: z.boolean().nullish(),
  permissions: z.object({ push: z.boolean().nullish() }).nullish(),
})
const needed = { contents: 'write', pull_requests: 'write' }

export function checkAccess(repository: GitHubRepository): Promise<HostAccess> {
  const { path, fork, access, client } = repository
  return client.operation(`read ${path}`, async (api) => {
    const granted = await access.permissions()
    const { info, expiresAt } = await readRepository(api, path)
    const login = granted ? await access.appLogin() : await readLogin(api)
    const archived = info.archived === true
    // Then no request shows what the credential may.
    const isOff = info.has_pull_requests === false
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
      missing: isOff
        ? [`pull requests switched on in ${info.full_name}`]
        : missing.map(([name, level]) => permissionName(name, level)),
      // Tokens of apps are renewed automatically.
      expiresAt: granted ? undefined : expiresAt,
    }
  })
}

export function readPath({ path, client }: GitHubRepository): Promise<string> {
  return client.operation(`read ${path}`, async (api) => (await readRepository(api, path)).info.full_name)
}

async function readRepository(api: HostApi, path: string) {
  let expiresAt: Date | undefined
  const [info] = await api.list(repositoryPath(path), repositoryInfo, {
    max: 1,
    pages: ({ body, headers }) => {
      expiresAt = readExpiry(headers.get('github-authentication-token-expiration'))
      return { items: [body], next: undefined }
    },
  })
  if (!info) throw new AppError('unavailable', 'GitHub answered with nothing: try again later')
  return { info, expiresAt }
}

// "2026-12-01 10:00:00 UTC", or with an offset in place of the name.
function readExpiry(text: string | null): Date | undefined {
  const [, day, time, zone = 'UTC'] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ?(UTC|[+-]\d{4})?$/.exec(text?.trim() ?? '') ?? []
  if (day === undefined || time === undefined) return undefined
  return new Date(`${day}T${time}${zone === 'UTC' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3)}`}`)
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
 * GitHub does not tell what a token may do, so it is tried on requests that cannot succeed: a reference to a
 * missing commit, and a pull request of a branch into itself. With the permission GitHub answers that the request
 * is invalid, without it that it is forbidden.
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
