import { z } from 'zod'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import type { GitLabProject } from './gitlab-project.ts'
import { signingToken } from './verify-webhook.ts'

const hookAnswer = z.object({ id: z.int(), url: z.string() })

/** False for less than a Maintainer, and for an address that GitLab does not call. */
export async function ensureWebhook(project: GitLabProject, url: string, secret: string): Promise<boolean> {
  return project.client.operation(`set up the webhook of ${project.path}`, async (api) => {
    try {
      await write(project, api, url, secret)
      return true
    } catch (error) {
      if (isAnswer(error, 403, 404, 422)) return false
      throw error
    }
  })
}

async function write(project: GitLabProject, api: HostApi, url: string, secret: string): Promise<void> {
  const place = `/projects/${await project.target(api)}/hooks`
  const find = async () => {
    const hooks = await api.list(place, hookAnswer, { query: { per_page: 100 }, max: 500 })
    return hooks.find((hook) => hook.url === url)
  }
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
  const found = await find()
  // What secret it has is not told: it is set again.
  if (found) await api.replace('PUT', `${place}/${found.id}`, wanted, hookAnswer)
  else await api.create(place, wanted, hookAnswer, find)
}
