import { z } from 'zod'
import type { HostApi } from '../http/host-client.ts'
import { HostFailure } from '../http/host-failure.ts'
import type { BitbucketRepository } from './bitbucket-repository.ts'
import { listPages } from './list-pages.ts'

const memberAnswer = z.object({
  user: z.object({ uuid: z.string(), nickname: z.string().nullish(), display_name: z.string().nullish() }),
})

/**
 * Members of the workspace by nickname, display name or `{uuid}`: Bitbucket knows people by nothing else. None where
 * the credential may not see members, as with the access token of a repository; a uuid works there too.
 */
export async function findReviewers(
  { target }: BitbucketRepository,
  api: HostApi,
  names: readonly string[],
): Promise<{ uuid: string }[]> {
  const isId = (name: string) => /^\{[0-9a-f-]{36}\}$/i.test(name)
  const ids = names.filter(isId)
  const others = new Set(names.filter((name) => !isId(name)).map((name) => name.toLowerCase()))
  const members = others.size > 0 ? await readMembers(target.split('/')[2] ?? '', api) : []
  const named = members
    .filter(({ user }) =>
      [user.nickname, user.display_name].some((name) => others.has(name?.toLowerCase() ?? '')),
    )
    .map(({ user }) => user.uuid)
  return [...new Set([...ids, ...named])].slice(0, 20).map((uuid) => ({ uuid }))
}

async function readMembers(workspace: string, api: HostApi) {
  try {
    const query = { pagelen: 100 }
    return await listPages(api, `/workspaces/${workspace}/members`, memberAnswer, { query, max: 1000 })
  } catch (error) {
    if (error instanceof HostFailure) return []
    throw error
  }
}
