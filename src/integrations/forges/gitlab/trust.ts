import { z } from 'zod'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import { rememberAnswers } from '../http/remember-answers.ts'
import type { GitLabProject } from './gitlab-project.ts'
import { whenAllowed } from './when-allowed.ts'

const developer = 30

const member = z.object({ access_level: z.number(), state: z.string().nullish() })
const account = z.object({ bot: z.boolean().nullish() })

/** What is known of an author; `trusted` is undefined where GitLab does not tell. */
interface Standing {
  trusted: boolean | undefined
  bot?: true
}

/** Tells whether a person may write to the project, by inherited membership too; asked anew after five minutes. */
export function createTrust(project: GitLabProject) {
  const remember = rememberAnswers<Standing>(project.ports)
  return async (api: HostApi, user: number | undefined): Promise<Standing> =>
    user === undefined ? { trusted: false } : remember(user, () => ask(project, api, user))
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
