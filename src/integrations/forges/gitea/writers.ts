import { z } from 'zod'
import { apiPath } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import { byNumber, pageSize, repositoryPath, type GiteaRepository } from './gitea-repository.ts'

/** Who may write, as far as a credential can see that is not allowed to ask for everyone's permission. */
export interface Writers {
  /** Names in lower case. */
  logins: ReadonlySet<string>
  /** Who else may write: nobody, some of the people who were added to the repository directly, or anybody. */
  others: 'none' | 'added' | 'unknown'
  /** The people among whom the others are; undefined where that is unknown too. */
  possible: ReadonlySet<string> | undefined
}

const user = z.object({ login: z.string() })
const team = z.object({
  id: z.number(),
  permission: z.string().nullish(),
  units_map: z.record(z.string(), z.string()).nullish(),
})

/**
 * Lists who may write. In a repository of a person, those are the people who can be assigned. In an organization,
 * members of teams that only read can be assigned too, so there the members of the teams that may write are listed,
 * as far as the credential sees those teams.
 * @param told what Gitea answers about people's permissions. It reports "read" for teams that may write to some
 * units only (since 1.24 for all teams without administration)
 */
export async function listWriters(
  api: HostApi,
  repository: GiteaRepository,
  told: boolean,
): Promise<Writers> {
  try {
    const teams = await listTeams(api, repository, told)
    if (teams.others !== 'unknown') return teams
    return { ...teams, possible: (await listAssignees(api, repository)).possible }
  } catch (error) {
    // A repository of a person has no teams. Asking whether the owner is an organization would need another scope.
    if (isAnswer(error, 405)) return told ? { ...nobody, others: 'none' } : listAssignees(api, repository)
    if (isAnswer(error, 403, 404)) return nobody
    throw error
  }
}

const nobody: Writers = { logins: new Set(), others: 'unknown', possible: undefined }

async function listAssignees(api: HostApi, { path }: GiteaRepository): Promise<Writers> {
  const [owner = ''] = path.split('/')
  try {
    const list = await api.get(`${repositoryPath(path)}/assignees`, user.array())
    const logins = namesOf([{ login: owner }, ...list])
    return { logins, others: 'none', possible: logins }
  } catch (error) {
    if (isAnswer(error, 403, 404)) return nobody
    throw error
  }
}

async function listTeams(api: HostApi, { path }: GiteaRepository, told: boolean): Promise<Writers> {
  const teams = await api.list(`${repositoryPath(path)}/teams`, team, { max: 50, pages: byNumber })
  const people: z.output<typeof user>[] = []
  let isComplete = teams.length < 50
  for (const { id } of teams.filter((one) => writes(one) && !(told && writesToAll(one)))) {
    try {
      const place = apiPath`/teams/${id}/members`
      const members = await api.list(place, user, { query: { limit: pageSize }, max: 500, pages: byNumber })
      people.push(...members)
      isComplete &&= members.length < 500
    } catch (error) {
      // The credential is not a member of this team, or lacks the scope for organizations.
      if (!isAnswer(error, 403, 404)) throw error
      isComplete = false
    }
  }
  const others = told ? 'none' : 'added'
  return { logins: namesOf(people), others: isComplete ? others : 'unknown', possible: undefined }
}

function writes(one: z.output<typeof team>): boolean {
  return levels.has(one.units_map?.['repo.code'] ?? '') || writesToAll(one)
}

function writesToAll({ permission, units_map: units }: z.output<typeof team>): boolean {
  const level = permission ?? ''
  // Old servers report only the lowest level of all units, and not the units.
  return level === 'write' ? (units?.['repo.code'] ?? level) === 'write' : levels.has(level)
}

const levels = new Set(['write', 'admin', 'owner'])

function namesOf(people: readonly { login: string }[]): Set<string> {
  return new Set(people.map(({ login }) => login.toLowerCase()))
}

const permission = z.object({ permission: z.string() })
const mostAsked = 30

/**
 * Whether someone may write to the repository, asked once for each person; undefined when Gitea does not tell. Only
 * administrators may ask about others, and the answer is wrong for members of teams that may write to some units
 * only: `listWriters` finds those.
 */
export function createWriteCheck(
  api: HostApi,
  repository: GiteaRepository,
): (login: string) => Promise<boolean | undefined> {
  const known = new Map<string, boolean | undefined>()
  const lists = new Map<boolean, Promise<Writers>>()
  const list = (told: boolean): Promise<Writers> => {
    const writers = lists.get(told) ?? listWriters(api, repository, told)
    lists.set(told, writers)
    return writers
  }
  return async (login) => {
    const name = login.toLowerCase()
    if (name === 'ghost') return false
    if (known.has(name)) return known.get(name)
    // The number of requests at once is limited: the next look asks for the rest.
    if (known.size >= mostAsked) return undefined
    const canWrite = await ask(api, repository, login)
    const answer =
      canWrite === true || (await isListed(api, repository, await list(canWrite !== undefined), name))
    known.set(name, answer)
    return answer
  }
}

async function ask(api: HostApi, repository: GiteaRepository, login: string): Promise<boolean | undefined> {
  const path = `${repositoryPath(repository.path)}${apiPath`/collaborators/${login}/permission`}`
  try {
    const granted = await api.find(path, permission)
    // Gitea before 1.17 does not have this endpoint.
    return granted && ['owner', 'admin', 'write'].includes(granted.permission)
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
  // Gitea does not tell with what permission a person was added.
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
