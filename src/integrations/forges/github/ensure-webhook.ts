import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import { apiPath } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import { isOwnWebhook } from '../http/own-webhook.ts'
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
  const path = hooksOf(repository)
  const settings = { active: true, events, config: { url, content_type: 'json', secret, insecure_ssl: '0' } }
  return whenAllowed(repository, 'set up', async (api) => {
    const [present, ...more] = await findOwn(api, path, url)
    // The secret that is there is not told, so it is set again.
    if (present) await api.replace('PATCH', `${path}${apiPath`/${present.id}`}`, settings, hook)
    else
      await api.create(
        path,
        { name: 'web', ...settings },
        hook,
        async () => (await findOwn(api, path, url))[0],
      )
    await removeAll(api, path, more)
  })
}

/** False when the credential may not. */
export async function removeWebhook(repository: GitHubRepository, url: string): Promise<boolean> {
  const path = hooksOf(repository)
  return whenAllowed(repository, 'remove', async (api) => removeAll(api, path, await findOwn(api, path, url)))
}

function hooksOf({ path }: GitHubRepository): string {
  return `${repositoryPath(path)}/hooks`
}

async function findOwn(api: HostApi, path: string, url: string): Promise<Hook[]> {
  const all = await api.list(path, hook, { query: { per_page: 100 }, max: 300 })
  return all.filter(({ config }) => isOwnWebhook(url, config?.url))
}

async function removeAll(api: HostApi, path: string, hooks: readonly Hook[]): Promise<void> {
  for (const { id } of hooks) await api.remove(`${path}${apiPath`/${id}`}`)
}

async function whenAllowed(
  { webhookClient, path }: GitHubRepository,
  verb: string,
  work: (api: HostApi) => Promise<void>,
): Promise<boolean> {
  try {
    await webhookClient.operation(`${verb} the webhook of ${path}`, work)
    return true
  } catch (error) {
    if (isAnswer(error, 403, 404, 422) || (error instanceof AppError && error.code === 'forbidden'))
      return false
    throw error
  }
}
