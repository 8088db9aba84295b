import { z } from 'zod'
import { apiPath } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import { rememberAnswers } from '../http/remember-answers.ts'
import { listPages, type BitbucketRepository } from './bitbucket-repository.ts'
import { isSame, quote } from './find-pull-request.ts'

const permission = z.object({ permission: z.string() })
const effective = permission.extend({ user: z.object({ uuid: z.string().nullish() }).nullish() })

/**
 * Tells whether a person may write to the repository, and keeps the answer for five minutes. Only administrators
 * may ask: with any other credential the answer is undefined. It is also undefined for people who may write through
 * a group, which only administrators of the workspace can see.
 */
export function createTrust(repository: BitbucketRepository) {
  const remember = rememberAnswers<boolean | undefined>(repository.ports)
  return async (api: HostApi, user: string | null | undefined): Promise<boolean | undefined> =>
    user ? remember(user, () => ask(repository, api, user)) : false
}

/** Whether the credential is allowed to ask who may write. */
export async function mayAskWhoWrites({ target }: BitbucketRepository, api: HostApi): Promise<boolean> {
  const groups = await whenAllowed(() =>
    listPages(api, `${target}/permissions-config/groups`, permission, { max: 1 }),
  )
  return groups !== 'refused'
}

async function ask(
  repository: BitbucketRepository,
  api: HostApi,
  user: string,
): Promise<boolean | undefined> {
  const effective = await readEffective(repository, api, user)
  if (effective !== 'refused') return isEnough(effective)
  const { target } = repository
  // Permissions that were given to the person directly. Administrators of the repository may read them.
  const place = `${target}/permissions-config/users${apiPath`/${user}`}`
  const own = await whenAllowed(async () => (await api.find(place, permission))?.permission)
  if (own === 'refused') return undefined
  if (isEnough(own)) return true
  const groups = await whenAllowed(() =>
    listPages(api, `${target}/permissions-config/groups`, permission, { max: 500 }),
  )
  const some = groups === 'refused' || groups.some(({ permission }) => isEnough(permission))
  return some ? undefined : false
}

// Permissions including those through groups. Administrators of the workspace may read them.
async function readEffective({ target }: BitbucketRepository, api: HostApi, user: string) {
  const [, , workspace = '', name = ''] = target.split('/')
  return whenAllowed(async () => {
    const place = `/workspaces/${workspace}/permissions/repositories/${name}`
    const query = { q: `user.uuid = ${quote(user)}` }
    const permissions = await listPages(api, place, effective, { query, max: 100 })
    return permissions.find((held) => isSame(held.user?.uuid ?? undefined, user))?.permission
  })
}

function isEnough(held: string | undefined): boolean {
  return held === 'write' || held === 'admin'
}

async function whenAllowed<T>(ask: () => Promise<T>): Promise<T | 'refused'> {
  try {
    return await ask()
  } catch (error) {
    if (isAnswer(error, 403, 404)) return 'refused'
    throw error
  }
}
