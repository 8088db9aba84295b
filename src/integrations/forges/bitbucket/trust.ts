import { z } from 'zod'
import { apiPath } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import type { BitbucketRepository } from './bitbucket-repository.ts'
import { isSame, quote } from './find-pull-request.ts'
import { listPages } from './list-pages.ts'

const goodFor = 5 * 60_000
const maxKnown = 500
const permission = z.object({ permission: z.string() })
const effective = permission.extend({ user: z.object({ uuid: z.string().nullish() }).nullish() })

/**
 * Tells whether a person may write to the repository; asked anew after five minutes. Only administrators may ask
 * Bitbucket that: with a credential of less, nobody is trusted.
 */
export function createTrust(repository: BitbucketRepository) {
  const known = new Map<string, { until: number; trusted: boolean }>()
  return async (api: HostApi, user: string | null | undefined): Promise<boolean> => {
    if (!user) return false
    const now = repository.ports.now().getTime()
    const kept = known.get(user)
    if (kept && kept.until > now) return kept.trusted
    const held = (await readEffective(repository, api, user)) ?? (await readExplicit(repository, api, user))
    const trusted = held === 'write' || held === 'admin'
    if (known.size >= maxKnown) known.clear()
    known.set(user, { until: now + goodFor, trusted })
    return trusted
  }
}

// By groups too; for administrators of the workspace.
async function readEffective({ target }: BitbucketRepository, api: HostApi, user: string) {
  const [, , workspace = '', name = ''] = target.split('/')
  const found = await whenAllowed(() =>
    listPages(api, `/workspaces/${workspace}/permissions/repositories/${name}`, effective, {
      query: { q: `user.uuid = ${quote(user)}` },
      max: 100,
    }),
  )
  return found?.find((held) => isSame(held.user?.uuid ?? undefined, user))?.permission
}

// What was given to the person alone; for administrators of the repository.
async function readExplicit({ target }: BitbucketRepository, api: HostApi, user: string) {
  const place = `${target}/permissions-config/users${apiPath`/${user}`}`
  return (await whenAllowed(() => api.find(place, permission)))?.permission
}

async function whenAllowed<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (isAnswer(error, 403, 404)) return undefined
    throw error
  }
}
