import { z } from 'zod'
import { apiPath } from '../http/api-path.ts'
import { isAnswer } from '../http/host-failure.ts'
import type { BitbucketRepository } from './bitbucket-repository.ts'
import { listPages } from './list-pages.ts'

const hookAnswer = z.object({ uuid: z.string(), url: z.string() })

/** False without the scope for webhooks, and for an address that Bitbucket does not call. */
export async function ensureWebhook(
  { client, path, target }: BitbucketRepository,
  url: string,
  secret: string,
): Promise<boolean> {
  return client.operation(`set up the webhook of ${path}`, async (api) => {
    const find = async () => {
      const hooks = await listPages(api, `${target}/hooks`, hookAnswer, { query: { pagelen: 100 }, max: 500 })
      return hooks.find((hook) => hook.url === url)
    }
    const wanted = {
      description: 'Docwright',
      url,
      active: true,
      secret,
      events: ['repo:push', 'pullrequest:fulfilled', 'pullrequest:rejected', 'pullrequest:comment_created'],
    }
    try {
      const found = await find()
      // What secret it has is not told: it is set again.
      if (found) await api.replace('PUT', `${target}/hooks${apiPath`/${found.uuid}`}`, wanted, hookAnswer)
      else await api.create(`${target}/hooks`, wanted, hookAnswer, find)
      return true
    } catch (error) {
      if (isAnswer(error, 400, 403, 404)) return false
      throw error
    }
  })
}
