import { z } from 'zod'
import { apiPath } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import { HostFailure } from '../http/host-failure.ts'
import { repositoryPath } from './github-api.ts'
import type { GitHubRepository } from './github-repository.ts'

const permission = z.object({ permission: z.string() })
const mostAsked = 30

/**
 * Whether someone may write to the repository, asked once for each. What a comment says of its author's association
 * does not tell: members and collaborators may be readers only, and members who hide pass for strangers.
 */
export function createWriteCheck(
  api: HostApi,
  repository: GitHubRepository,
): (login: string, association: string | undefined) => Promise<boolean> {
  const known = new Map<string, boolean>()
  return async (login, association) => {
    if (association === 'OWNER') return true
    const present = known.get(login)
    if (present !== undefined) return present
    const answer = known.size < mostAsked && login !== 'ghost' && (await ask(api, repository, login))
    known.set(login, answer)
    return answer
  }
}

async function ask(api: HostApi, repository: GitHubRepository, login: string): Promise<boolean> {
  const path = `${repositoryPath(repository.path)}${apiPath`/collaborators/${login}/permission`}`
  try {
    const found = await api.find(path, permission)
    // "maintain" is told as "write", "triage" as "read".
    return found?.permission === 'admin' || found?.permission === 'write'
  } catch (error) {
    // A credential that may not ask trusts nobody; trouble that passes is told, or a word would be lost.
    if (error instanceof HostFailure && error.code === 'forbidden') return false
    throw error
  }
}
