import { z } from 'zod'
import { apiPath } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import { byNumber, pageSize, repositoryPath } from './gitea-repository.ts'
import type { GiteaRepository } from './gitea-repository.ts'

/** Who may write, as far as a credential of no administrator can see it. */
export interface Writers {
  /** In small letters. */
  logins: ReadonlySet<string>
  /** Who else may: nobody, some of those who were added to the repository alone, or anybody. */
  others: 'none' | 'added' | 'unknown'
}

const user = z.object({ login: z.string() })
const team = z.object({
  id: z.number(),
  permission: z.string().nullish(),
  units_map: z.record(z.string(), z.string()).nullish(),
})

/**
 * What belongs to a person: whoever may be assigned there. In an organization that tells nothing, as members of teams
 * that only read may be assigned too; there it is the members of the teams that write, of which members of a team see
 * those of their own.
 */
export async function listWriters(api: HostApi, repository: GiteaRepository): Promise<Writers> {
  try {
    return await listTeams(api, repository)
  } catch (error) {
    // What belongs to a person has no teams. To ask for the organization would take a scope of its own.
    if (isAnswer(error, 405)) return listAssignees(api, repository)
    if (isAnswer(error, 403, 404)) return { logins: new Set(), others: 'unknown' }
    throw error
  }
}

async function listAssignees(api: HostApi, { path }: GiteaRepository): Promise<Writers> {
  const [owner = ''] = path.split('/')
  try {
    const list = await api.get(`${repositoryPath(path)}/assignees`, user.array())
    return { logins: namesOf([{ login: owner }, ...list]), others: 'none' }
  } catch (error) {
    if (isAnswer(error, 403, 404)) return { logins: new Set(), others: 'unknown' }
    throw error
  }
}

async function listTeams(api: HostApi, { path }: GiteaRepository): Promise<Writers> {
  const teams = await api.list(`${repositoryPath(path)}/teams`, team, { max: 50, pages: byNumber })
  const people: z.output<typeof user>[] = []
  let isComplete = teams.length < 50
  for (const { id } of teams.filter(writes)) {
    try {
      const place = apiPath`/teams/${id}/members`
      const members = await api.list(place, user, { query: { limit: pageSize }, max: 500, pages: byNumber })
      people.push(...members)
      isComplete &&= members.length < 500
    } catch (error) {
      // Not of this team, or without the scope for organizations.
      if (!isAnswer(error, 403, 404)) throw error
      isComplete = false
    }
  }
  return { logins: namesOf(people), others: isComplete ? 'added' : 'unknown' }
}

function writes({ permission, units_map: units }: z.output<typeof team>): boolean {
  const level = units?.['repo.code'] ?? permission ?? ''
  return ['write', 'admin', 'owner'].includes(level) || permission === 'admin' || permission === 'owner'
}

function namesOf(people: readonly { login: string }[]): Set<string> {
  return new Set(people.map(({ login }) => login.toLowerCase()))
}
