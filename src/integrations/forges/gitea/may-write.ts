import { z } from 'zod'
import { apiPath, encodeSegments } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import { repositoryPath } from './gitea-repository.ts'
import type { GiteaRepository } from './gitea-repository.ts'

const permission = z.object({ permission: z.string() })
const user = z.object({ login: z.string() })
const mostAsked = 30

/**
 * Whether someone may write to the repository, asked once for each. Gitea tells it of others only to administrators of
 * the repository; to other credentials, only for what belongs to a person, by whom may be assigned there.
 */
export function createWriteCheck(
  api: HostApi,
  repository: GiteaRepository,
): (login: string) => Promise<boolean> {
  const known = new Map<string, boolean>()
  let writers: Promise<Set<string>> | undefined
  return async (login) => {
    const name = login.toLowerCase()
    const present = known.get(name)
    if (present !== undefined) return present
    if (known.size >= mostAsked || name === 'ghost') return false
    const asked = await ask(api, repository, login)
    const answer = asked ?? (await (writers ??= listWriters(api, repository))).has(name)
    known.set(name, answer)
    return answer
  }
}

async function ask(api: HostApi, repository: GiteaRepository, login: string): Promise<boolean | undefined> {
  const path = `${repositoryPath(repository.path)}${apiPath`/collaborators/${login}/permission`}`
  try {
    const found = await api.find(path, permission)
    return found !== undefined && ['owner', 'admin', 'write'].includes(found.permission)
  } catch (error) {
    if (isAnswer(error, 403)) return undefined
    throw error
  }
}

async function listWriters(api: HostApi, repository: GiteaRepository): Promise<Set<string>> {
  const [owner = ''] = repository.path.split('/')
  try {
    // In an organization, members of teams that only read may be assigned as well: then it tells nothing.
    if (await api.find(`/orgs/${encodeSegments(owner)}`, z.unknown())) return new Set()
    const list = await api.get(`${repositoryPath(repository.path)}/assignees`, user.array())
    return new Set([owner.toLowerCase(), ...list.map(({ login }) => login.toLowerCase())])
  } catch (error) {
    if (isAnswer(error, 403, 404)) return new Set()
    throw error
  }
}
