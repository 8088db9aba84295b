import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import type { HostAccess } from '../host.ts'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import { nameOf } from './bitbucket-answers.ts'
import type { BitbucketRepository } from './bitbucket-repository.ts'
import { mayAskWhoWrites } from './trust.ts'

const repositoryAnswer = z.object({
  full_name: z.string(),
  mainbranch: z.object({ name: z.string() }).nullish(),
})

export async function checkAccess(repository: BitbucketRepository): Promise<HostAccess> {
  const { client, path, target, source } = repository
  return client.operation(`read the repository ${path}`, async (api) => {
    const { found, scopes } = await readRepository(api, target)
    if (source !== target) await readRepository(api, source)
    if (!found.mainbranch) {
      throw new AppError('not_found', `${path} has no branch on Bitbucket yet: push a first commit`)
    }
    return {
      login: await findLogin(api),
      defaultBranch: found.mainbranch.name,
      path: found.full_name,
      // Bitbucket cannot archive repositories.
      archived: false,
      missing: scopes === undefined ? [] : missingScopes(scopes),
      missingForComments: (await mayAskWhoWrites(repository, api))
        ? undefined
        : 'Repositories: Admin (repository:admin)',
    }
  })
}

export function readPath({ client, path, target }: BitbucketRepository): Promise<string> {
  return client.operation(
    `read the repository ${path}`,
    async (api) => (await readRepository(api, target)).found.full_name,
  )
}

// A header of every answer names the scopes of the credential.
async function readRepository(api: HostApi, place: string) {
  let scopes: string[] | undefined
  const [found] = await api.list(place, repositoryAnswer, {
    max: 1,
    pages: ({ body, headers }) => {
      scopes = headers
        .get('x-oauth-scopes')
        ?.split(',')
        .map((scope) => scope.trim())
      return { items: [body], next: undefined }
    },
  })
  if (!found) throw new AppError('unavailable', 'Bitbucket answered with nothing: try again later')
  return { found, scopes }
}

// In tokens of people, a scope for writing does not include the one for reading.
const personal = ['read:repository', 'write:repository', 'read:pullrequest', 'write:pullrequest']

function missingScopes(scopes: string[]): string[] {
  if (scopes.some((scope) => scope.endsWith(':bitbucket'))) {
    return personal
      .map((name) => `${name}:bitbucket`)
      .flatMap((name) => (scopes.includes(name) ? [] : [`the scope ${name}`]))
  }
  const has = (...names: string[]) => names.some((name) => scopes.includes(name))
  const missing: string[] = []
  // Writing pull requests includes writing to the repository.
  if (!has('repository:write', 'pullrequest:write')) {
    missing.push('Repositories: Write (repository:write)')
  }
  if (!has('pullrequest:write')) {
    missing.push('Pull requests: Write (pullrequest:write)')
  }
  return missing
}

// Access tokens of a repository belong to no account.
async function findLogin(api: HostApi): Promise<string | undefined> {
  const answer = z.object({ nickname: z.string().nullish(), display_name: z.string().nullish() })
  try {
    const user = await api.find('/user', answer)
    return user && nameOf(user)
  } catch (error) {
    if (isAnswer(error, 401, 403)) return undefined
    throw error
  }
}
