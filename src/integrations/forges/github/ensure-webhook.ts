import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import { apiPath } from '../http/api-path.ts'
import { isAnswer } from '../http/host-failure.ts'
import { repositoryPath } from './github-api.ts'
import type { GitHubRepository } from './github-repository.ts'

const events = ['push', 'pull_request', 'issue_comment', 'pull_request_review_comment', 'pull_request_review']
const hook = z.object({ id: z.number(), config: z.object({ url: z.string().nullish() }).nullish() })
type Hook = z.output<typeof hook>

/** False when the credential may not, or GitHub does not take the address because it cannot reach it. */
export async function ensureWebhook(
  repository: GitHubRepository,
  url: string,
  secret: string,
): Promise<boolean> {
  const path = `${repositoryPath(repository.path)}/hooks`
  const settings = { active: true, events, config: { url, content_type: 'json', secret, insecure_ssl: '0' } }
  try {
    await repository.webhookClient.operation(`set up the webhook of ${repository.path}`, async (api) => {
      const find = async (): Promise<Hook | undefined> =>
        (await api.list(path, hook, { query: { per_page: 100 }, max: 300 })).find(
          (item) => item.config?.url === url,
        )
      const present = await find()
      // The secret that is there is not told, so it is set again.
      if (present) await api.replace('PATCH', `${path}${apiPath`/${present.id}`}`, settings, hook)
      else await api.create(path, { name: 'web', ...settings }, hook, find)
    })
    return true
  } catch (error) {
    if (isAnswer(error, 403, 404, 422) || (error instanceof AppError && error.code === 'forbidden'))
      return false
    throw error
  }
}
