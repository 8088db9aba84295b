import { z } from 'zod'
import { apiPath } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import { repositoryPath } from './gitea-repository.ts'
import type { GiteaRepository } from './gitea-repository.ts'
import { listWriters } from './list-writers.ts'
import type { Writers } from './list-writers.ts'

const permission = z.object({ permission: z.string() })
const mostAsked = 30

/**
 * Whether someone may write to the repository, asked once for each; undefined when Gitea does not tell. Of others it
 * tells only administrators of the repository, and of members of teams that write to some units only not even them:
 * the rest is what `listWriters` finds.
 */
export function createWriteCheck(
  api: HostApi,
  repository: GiteaRepository,
): (login: string) => Promise<boolean | undefined> {
  const known = new Map<string, boolean | undefined>()
  const lists = new Map<boolean, Promise<Writers>>()
  const list = (told: boolean): Promise<Writers> => {
    const found = lists.get(told) ?? listWriters(api, repository, told)
    lists.set(told, found)
    return found
  }
  return async (login) => {
    const name = login.toLowerCase()
    if (name === 'ghost') return false
    if (known.has(name)) return known.get(name)
    // Too many at once: the next look asks for the others.
    if (known.size >= mostAsked) return undefined
    const told = await ask(api, repository, login)
    const answer = told === true || (await isListed(api, repository, await list(told !== undefined), name))
    known.set(name, answer)
    return answer
  }
}

async function ask(api: HostApi, repository: GiteaRepository, login: string): Promise<boolean | undefined> {
  const path = `${repositoryPath(repository.path)}${apiPath`/collaborators/${login}/permission`}`
  try {
    const found = await api.find(path, permission)
    // Gitea before 1.17 does not know this address.
    return found && ['owner', 'admin', 'write'].includes(found.permission)
  } catch (error) {
    if (isAnswer(error, 403)) return undefined
    throw error
  }
}

async function isListed(
  api: HostApi,
  { path }: GiteaRepository,
  { logins, others, possible }: Writers,
  name: string,
): Promise<boolean | undefined> {
  if (logins.has(name)) return true
  if (possible?.has(name) === false) return false
  if (others !== 'added') return others === 'none' ? false : undefined
  // With what permission somebody was added is not told.
  try {
    const place = `${repositoryPath(path)}${apiPath`/collaborators/${name}`}`
    return (await api.find(
      place,
      z.unknown().transform(() => true),
    ))
      ? undefined
      : false
  } catch (error) {
    if (isAnswer(error, 403, 422)) return undefined
    throw error
  }
}
