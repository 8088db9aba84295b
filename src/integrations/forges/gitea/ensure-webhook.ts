import { z } from 'zod'
import { apiPath } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import { isOwnWebhook } from '../http/own-webhook.ts'
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
  const path = hooksOf(repository)
  const settings = { active: true, events, config: { url, content_type: 'json', secret } }
  return whenAllowed(repository, 'set up', async (api) => {
    const [present, ...more] = await findOwn(api, path, url)
    // The secret that is there is not told, so it is set again.
    if (present) await api.replace('PATCH', `${path}${apiPath`/${present.id}`}`, settings, hook)
    else
      await api.create(
        path,
        { type: 'gitea', ...settings },
        hook,
        async () => (await findOwn(api, path, url))[0],
      )
    await removeAll(api, path, more)
  })
}

/** False when the credential may not. */
export async function removeWebhook(repository: GiteaRepository, url: string): Promise<boolean> {
  const path = hooksOf(repository)
  return whenAllowed(repository, 'remove', async (api) => removeAll(api, path, await findOwn(api, path, url)))
}

function hooksOf({ path }: GiteaRepository): string {
  return `${repositoryPath(path)}/hooks`
}

async function findOwn(api: HostApi, path: string, url: string): Promise<Hook[]> {
  const all = await api.list(path, hook, { query: { limit: pageSize }, max: 300, pages: byNumber })
  return all.filter(({ config }) => isOwnWebhook(url, config?.url))
}

async function removeAll(api: HostApi, path: string, hooks: readonly Hook[]): Promise<void> {
  for (const { id } of hooks) await api.remove(`${path}${apiPath`/${id}`}`)
}

async function whenAllowed(
  { client, path }: GiteaRepository,
  verb: string,
  work: (api: HostApi) => Promise<void>,
): Promise<boolean> {
  try {
    await client.operation(`${verb} the webhook of ${path}`, work)
    return true
  } catch (error) {
    if (isAnswer(error, 403, 404, 422)) return false
    throw error
  }
}
