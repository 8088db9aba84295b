import { z } from 'zod'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import { isOwnWebhook } from '../http/own-webhook.ts'
import type { GitLabProject } from './gitlab-project.ts'
import { signingToken } from './verify-webhook.ts'

const hookAnswer = z.object({ id: z.int(), url: z.string() })
type Hook = z.output<typeof hookAnswer>

/** False for less than a Maintainer, and for an address that GitLab does not call. */
export async function ensureWebhook(project: GitLabProject, url: string, secret: string): Promise<boolean> {
  const wanted = {
    url,
    name: 'Docwright',
    push_events: true,
    merge_requests_events: true,
    note_events: true,
    enable_ssl_verification: true,
    token: secret,
    // Newer ones sign with it; others do not know it and leave it out.
    signing_token: signingToken(secret),
  }
  return whenAllowed(project, 'set up', async (api, place) => {
    const [found, ...more] = await findOwn(api, place, url)
    // What secret it has is not told: it is set again.
    if (found) await api.replace('PUT', `${place}/${found.id}`, wanted, hookAnswer)
    else await api.create(place, wanted, hookAnswer, async () => (await findOwn(api, place, url))[0])
    await removeAll(api, place, more)
  })
}

/** False for less than a Maintainer. */
export async function removeWebhook(project: GitLabProject, url: string): Promise<boolean> {
  return whenAllowed(project, 'remove', async (api, place) =>
    removeAll(api, place, await findOwn(api, place, url)),
  )
}

async function findOwn(api: HostApi, place: string, url: string): Promise<Hook[]> {
  const hooks = await api.list(place, hookAnswer, { query: { per_page: 100 }, max: 500 })
  return hooks.filter((hook) => isOwnWebhook(url, hook.url))
}

async function removeAll(api: HostApi, place: string, hooks: readonly Hook[]): Promise<void> {
  for (const { id } of hooks) await api.remove(`${place}/${id}`)
}

async function whenAllowed(
  project: GitLabProject,
  verb: string,
  work: (api: HostApi, place: string) => Promise<void>,
): Promise<boolean> {
  return project.client.operation(`${verb} the webhook of ${project.path}`, async (api) => {
    try {
      await work(api, `/projects/${await project.target(api)}/hooks`)
      return true
    } catch (error) {
      if (isAnswer(error, 403, 404, 422)) return false
      throw error
    }
  })
}
