import { z } from 'zod'
import type { Webhooks } from '../http/ensure-webhook.ts'
import { isAnswer } from '../http/host-failure.ts'
import { byNumber, pageSize, repositoryPath } from './gitea-repository.ts'
import type { GiteaRepository } from './gitea-repository.ts'

// "pull_request" would stand for all that has to do with one, label by label. A deleted branch is no push here.
const events = ['push', 'delete', 'pull_request_only', 'pull_request_comment', 'pull_request_review']
const answer = z
  .object({
    id: z.number(),
    config: z.object({ url: z.string().nullish() }).nullish(),
  })
  .transform(({ id, config }) => ({ id, url: config?.url }))

export function webhooksOf({ client, path }: GiteaRepository): Webhooks {
  return {
    client,
    of: path,
    place: async () => `${repositoryPath(path)}/hooks`,
    answer,
    list: (api, place) => api.list(place, answer, { query: { limit: pageSize }, max: 300, pages: byNumber }),
    settings: (url, secret) => ({ active: true, events, config: { url, content_type: 'json', secret } }),
    onlyNew: { type: 'gitea' },
    // No version takes another secret for one that is there.
    change: undefined,
    // The credential has to be of an administrator of the repository.
    isRefusal: (error) => isAnswer(error, 403, 404, 422),
  }
}
