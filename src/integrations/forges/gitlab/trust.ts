import { z } from 'zod'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import type { GitLabProject } from './gitlab-project.ts'
import { whenAllowed } from './when-allowed.ts'

const developer = 30
const goodFor = 5 * 60_000
const maxKnown = 500

const member = z.object({ access_level: z.number(), state: z.string().nullish() })
const account = z.object({ bot: z.boolean().nullish() })

/** What is known of an author; `trusted` is undefined where GitLab does not tell. */
interface Standing {
  trusted: boolean | undefined
  bot?: true
}

/** Tells whether a person may write to the project, by inherited membership too; asked anew after five minutes. */
export function createTrust(project: GitLabProject) {
  const known = new Map<number, { until: number; standing: Standing }>()
  return async (api: HostApi, user: number | undefined): Promise<Standing> => {
    if (user === undefined) return { trusted: false }
    const now = project.ports.now().getTime()
    const kept = known.get(user)
    if (kept && kept.until > now) return kept.standing
    const standing = await ask(project, api, user)
    if (known.size >= maxKnown) known.clear()
    known.set(user, { until: now + goodFor, standing })
    return standing
  }
}

async function ask(project: GitLabProject, api: HostApi, user: number): Promise<Standing> {
  try {
    const found = await api.find(`/projects/${await project.target(api)}/members/all/${user}`, member)
    const isActive = (found?.state ?? 'active') === 'active'
    const trusted = found !== undefined && found.access_level >= developer && isActive
    if (!trusted) return { trusted }
    // Tokens of projects and groups, and service accounts, are members like people.
    const { bot } = (await whenAllowed(() => api.find(`/users/${user}`, account))) ?? {}
    return bot === true ? { trusted, bot } : { trusted }
  } catch (error) {
    if (isAnswer(error, 403)) return { trusted: undefined }
    throw error
  }
}
