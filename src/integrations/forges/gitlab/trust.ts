import { z } from 'zod'
import type { HostApi } from '../http/host-client.ts'
import type { GitLabProject } from './gitlab-project.ts'
import { whenAllowed } from './when-allowed.ts'

const developer = 30
const goodFor = 5 * 60_000
const maxKnown = 500

/** Tells whether a person may write to the project, by inherited membership too; asked anew after five minutes. */
export function createTrust(project: GitLabProject) {
  const known = new Map<number, { until: number; trusted: boolean }>()
  return async (api: HostApi, user: number | undefined): Promise<boolean> => {
    if (user === undefined) return false
    const now = project.ports.now().getTime()
    const kept = known.get(user)
    if (kept && kept.until > now) return kept.trusted
    const answer = z.object({ access_level: z.number(), state: z.string().nullish() })
    const place = `/projects/${await project.target(api)}/members/all/${user}`
    const member = await whenAllowed(() => api.find(place, answer))
    const trusted = member !== undefined && member.access_level >= developer && member.state !== 'blocked'
    if (known.size >= maxKnown) known.clear()
    known.set(user, { until: now + goodFor, trusted })
    return trusted
  }
}
