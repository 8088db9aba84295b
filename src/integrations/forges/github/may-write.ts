import { z } from 'zod'
import { apiPath } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import { HostFailure } from '../http/host-failure.ts'
import { repositoryPath } from './github-api.ts'
import type { GitHubRepository } from './github-repository.ts'

const permission = z.object({ permission: z.string() })
const mostAsked = 30

/**
 * Whether someone may write to the repository, asked once for each; undefined when GitHub does not tell. What a comment
 * says of its author's association does not tell: members and collaborators may be readers only, and members who hide
 * pass for strangers.
 */
export function createWriteCheck(
  api: HostApi,
  repository: GitHubRepository,
): (login: string, association: string | undefined) => Promise<boolean | undefined> {
  const known = new Map<string, boolean | undefined>()
  return async (login, association) => {
    if (association === 'OWNER') return true
    if (login === 'ghost') return false
    if (known.has(login)) return known.get(login)
    // Too many at once: the next look asks for the others.
    if (known.size >= mostAsked) return undefined
    const answer = await ask(api, repository, login)
    known.set(login, answer)
    return answer
  }
}

async function ask(api: HostApi, repository: GitHubRepository, login: string): Promise<boolean | undefined> {
  const path = `${repositoryPath(repository.path)}${apiPath`/collaborators/${login}/permission`}`
  try {
    const found = await api.find(path, permission)
    // "maintain" is told as "write", "triage" as "read".
    return found?.permission === 'admin' || found?.permission === 'write'
  } catch (error) {
    // Trouble that passes is told, or a word would be lost.
    if (error instanceof HostFailure && error.code === 'forbidden') return undefined
    throw error
  }
}
