import { z } from 'zod'
import { apiPath } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import { isOwnWebhook } from '../http/own-webhook.ts'
import type { BitbucketRepository } from './bitbucket-repository.ts'
import { listPages } from './list-pages.ts'

const hookAnswer = z.object({ uuid: z.string(), url: z.string() })
type Hook = z.output<typeof hookAnswer>
const events = ['repo:push', 'pullrequest:fulfilled', 'pullrequest:rejected', 'pullrequest:comment_created']

/** False without the scope for webhooks, and for an address that Bitbucket does not call. */
export async function ensureWebhook(
  repository: BitbucketRepository,
  url: string,
  secret: string,
): Promise<boolean> {
  const place = `${repository.target}/hooks`
  const wanted = { description: 'Docwright', url, active: true, secret, events }
  return whenAllowed(repository, 'set up', async (api) => {
    const [found, ...more] = await findOwn(api, place, url)
    // What secret it has is not told: it is set again.
    if (found) await api.replace('PUT', `${place}${apiPath`/${found.uuid}`}`, wanted, hookAnswer)
    else await api.create(place, wanted, hookAnswer, async () => (await findOwn(api, place, url))[0])
    await removeAll(api, place, more)
  })
}

/** False without the scope for webhooks. */
export async function removeWebhook(repository: BitbucketRepository, url: string): Promise<boolean> {
  const place = `${repository.target}/hooks`
  return whenAllowed(repository, 'remove', async (api) =>
    removeAll(api, place, await findOwn(api, place, url)),
  )
}

async function findOwn(api: HostApi, place: string, url: string): Promise<Hook[]> {
  const hooks = await listPages(api, place, hookAnswer, { query: { pagelen: 100 }, max: 500 })
  return hooks.filter((hook) => isOwnWebhook(url, hook.url))
}

async function removeAll(api: HostApi, place: string, hooks: readonly Hook[]): Promise<void> {
  for (const { uuid } of hooks) await api.remove(`${place}${apiPath`/${uuid}`}`)
}

async function whenAllowed(
  { client, path }: BitbucketRepository,
  verb: string,
  work: (api: HostApi) => Promise<void>,
): Promise<boolean> {
  return client.operation(`${verb} the webhook of ${path}`, async (api) => {
    try {
      await work(api)
      return true
    } catch (error) {
      if (isAnswer(error, 400, 403, 404)) return false
      throw error
    }
  })
}
