import { z } from 'zod'
import type { Webhooks } from '../http/ensure-webhook.ts'
import { isAnswer } from '../http/host-failure.ts'
import type { BitbucketRepository } from './bitbucket-repository.ts'
import { listPages } from './list-pages.ts'

const events = ['repo:push', 'pullrequest:fulfilled', 'pullrequest:rejected', 'pullrequest:comment_created']
const answer = z
  .object({ uuid: z.string(), url: z.string() })
  .transform(({ uuid, url }) => ({ id: uuid, url }))

export function webhooksOf({ client, path, target }: BitbucketRepository): Webhooks {
  return {
    client,
    of: path,
    place: async () => `${target}/hooks`,
    answer,
    list: (api, place) => listPages(api, place, answer, { query: { pagelen: 100 }, max: 500 }),
    settings: (url, secret) => ({ description: 'Docwright', url, active: true, secret, events }),
    change: 'PUT',
    // The credential needs the scope for webhooks.
    isRefusal: (error) => isAnswer(error, 400, 403, 404),
  }
}
