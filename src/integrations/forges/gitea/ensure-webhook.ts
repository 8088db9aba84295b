import { z } from 'zod'
import { apiPath } from '../http/api-path.ts'
import { isAnswer } from '../http/host-failure.ts'
import { byNumber, pageSize, repositoryPath } from './gitea-repository.ts'
import type { GiteaRepository } from './gitea-repository.ts'

// "pull_request" would stand for all that has to do with one, label by label. A deleted branch is no push here.
const events = ['push', 'delete', 'pull_request_only', 'pull_request_comment', 'pull_request_review']
const hook = z.object({ id: z.number(), config: z.object({ url: z.string().nullish() }).nullish() })
type Hook = z.output<typeof hook>

/** False when the credential may not: it has to be of an administrator of the repository. */
export async function ensureWebhook(
  repository: GiteaRepository,
  url: string,
  secret: string,
): Promise<boolean> {
  const path = `${repositoryPath(repository.path)}/hooks`
  const settings = { active: true, events, config: { url, content_type: 'json', secret } }
  try {
    await repository.client.operation(`set up the webhook of ${repository.path}`, async (api) => {
      const find = async (): Promise<Hook | undefined> => {
        const all = await api.list(path, hook, { query: { limit: pageSize }, max: 300, pages: byNumber })
        return all.find((item) => item.config?.url === url)
      }
      const present = await find()
      // The secret that is there is not told, so it is set again.
      if (present) await api.replace('PATCH', `${path}${apiPath`/${present.id}`}`, settings, hook)
      else await api.create(path, { type: 'gitea', ...settings }, hook, find)
    })
    return true
  } catch (error) {
    if (isAnswer(error, 403, 404, 422)) return false
    throw error
  }
}
