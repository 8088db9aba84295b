import type { HostPorts, RepositoryAddress } from '../host.ts'
import { apiPath } from '../http/api-path.ts'
import { createHostClient, type HostApi, type HostClient } from '../http/host-client.ts'
import type { HostLimits } from '../http/host-client-options.ts'
import { projectAnswer, type Project } from './gitlab-answers.ts'
import { isAnswer } from '../http/host-failure.ts'

/** A project, and the fork that branches are pushed to, behind GitLab's API. */
export interface GitLabProject {
  ports: HostPorts
  /** For messages. */
  path: string
  isFork: boolean
  client: HostClient
  /** The project's id. Requests that write do not find a renamed project by its old path. */
  target(api: HostApi): Promise<number>
  /** The id of the project that branches are pushed to. */
  source(api: HostApi): Promise<number>
  readTarget(api: HostApi): Promise<Project>
  readSource(api: HostApi): Promise<Project>
}

export function createGitLabProject(
  ports: HostPorts,
  token: string,
  repository: RepositoryAddress,
  fork: RepositoryAddress | undefined,
  limits: Partial<HostLimits>,
): GitLabProject {
  const client = createHostClient({
    ports,
    name: 'GitLab',
    base: `${repository.site}/api/v4`,
    authorization: async () => ({ 'private-token': token }),
    remedy: ({ body }) => scopeOf(body),
    limits,
  })
  const read = (api: HostApi, path: string): Promise<Project> =>
    api.get(apiPath`/projects/${path}`, projectAnswer)
  const readTarget = (api: HostApi) => read(api, repository.path)
  const readSource = (api: HostApi) => read(api, fork?.path ?? repository.path)
  const target = once(async (api: HostApi) => (await readTarget(api)).id)
  return {
    ports,
    path: repository.path,
    isFork: fork !== undefined,
    client,
    target,
    source: fork ? once(async (api: HostApi) => (await readSource(api)).id) : target,
    readTarget,
    readSource,
  }
}

// Ids never change, so an answer is kept. A failure is not.
function once<T>(ask: (api: HostApi) => Promise<T>): (api: HostApi) => Promise<T> {
  let known: T | undefined
  return async (api) => (known ??= await ask(api))
}

function scopeOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('scope' in body)) return undefined
  return typeof body.scope === 'string' ? `it needs the scope "${body.scope.slice(0, 100)}"` : undefined
}

/** Asks, and takes a refusal (403) like a missing answer: undefined. */
export async function whenAllowed<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (isAnswer(error, 403)) return undefined
    throw error
  }
}
