import type { HostCredential, HostPorts, RepositoryAddress } from '../host.ts'
import { createHostClient, type HostClient } from '../http/host-client.ts'
import type { HostLimits } from '../http/host-client-options.ts'
import { createAppAccess } from './app-access.ts'
import { adviseOnRefusal } from './advise-on-refusal.ts'
import { apiBase, gitHubHeaders, type GitHubAccess, type TokenUse } from './github-api.ts'
import { checkToken } from '../http/token-header.ts'

export interface GitHubRepository {
  /** `owner/name`. */
  path: string
  /** Of the API. */
  base: string
  /** The path of the repository that branches are pushed to, when it is another one. */
  fork: string | undefined
  access: GitHubAccess
  forkAccess: GitHubAccess | undefined
  client: HostClient
  /** A client whose token may set up webhooks. */
  webhookClient: HostClient
}

export function openGitHubRepository(
  ports: HostPorts,
  credential: HostCredential,
  { site, path }: RepositoryAddress,
  fork: RepositoryAddress | undefined,
  limits: Partial<HostLimits>,
): GitHubRepository {
  const base = apiBase(site)
  const accessTo = (path: string): GitHubAccess =>
    credential.kind === 'token'
      ? createTokenAccess(credential.token)
      : createAppAccess({ ports, base, limits }, credential, path)
  const access = accessTo(path)
  const clientFor = (use: TokenUse): HostClient =>
    createHostClient({
      ports,
      name: 'GitHub',
      base,
      authorization: async (renew) => ({ authorization: `Bearer ${await access.token(use, renew)}` }),
      headers: gitHubHeaders,
      remedy: adviseOnRefusal,
      limits,
    })
  return {
    path,
    base,
    fork: fork?.path,
    access,
    forkAccess: fork && accessTo(fork.path),
    client: clientFor('requests'),
    webhookClient: clientFor('webhooks'),
  }
}

/** A personal access token, preferably a fine-grained one. It is not renewed. */
function createTokenAccess(token: string): GitHubAccess {
  return {
    token: async () => checkToken(token),
    permissions: async () => undefined,
    appLogin: async () => undefined,
  }
}
