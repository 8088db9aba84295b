import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import type { Webhooks } from '../http/ensure-webhook.ts'
import { isAnswer } from '../http/host-failure.ts'
import { repositoryPath } from './github-api.ts'
import type { GitHubRepository } from './github-repository.ts'

const events = ['push', 'pull_request', 'issue_comment', 'pull_request_review_comment', 'pull_request_review']
const answer = z
  .object({ id: z.number(), config: z.object({ url: z.string().nullish() }).nullish() })
  .transform(({ id, config }) => ({ id, url: config?.url }))

export function webhooksOf({ webhookClient, path }: GitHubRepository): Webhooks {
  return {
    client: webhookClient,
    of: path,
    place: async () => `${repositoryPath(path)}/hooks`,
    answer,
    list: (api, place) => api.list(place, answer, { query: { per_page: 100 }, max: 300 }),
    settings: (url, secret) => ({
      active: true,
      events,
      config: { url, content_type: 'json', secret, insecure_ssl: '0' },
    }),
    onlyNew: { name: 'web' },
    change: 'PATCH',
    // GitHub does not take an address that it cannot reach. An app may lack the permission before it even asks.
    isRefusal: (error) =>
      isAnswer(error, 403, 404, 422) || (error instanceof AppError && error.code === 'forbidden'),
  }
}
