import type { CredentialSource } from '../git/remote.ts'
import type { Host, HostCredential, HostedRepository } from './host.ts'
import { findHost, serverCredential, type Hosts, type RecognisedRepository } from './hosts.ts'

/** A repository on another server, opened with its credential. */
export interface OpenedRepository {
  /** Undefined for plain git. */
  host: Host | undefined
  /** Undefined for plain git, and without a credential. */
  hosted: HostedRepository | undefined
  /** The credentials for git, in the repository and in the fork; undefined without a credential. */
  credential: CredentialSource | undefined
  forkCredential: CredentialSource | undefined
}

/** @param own the project's credential; the server's for that site is used without one */
export function openRepository(
  hosts: Hosts,
  repository: RecognisedRepository,
  own: HostCredential | undefined,
  forkPath: string | undefined,
): OpenedRepository {
  const host = findHost(hosts, repository.kind)
  const credential = own ?? serverCredential(hosts, repository)
  if (credential === undefined)
    return { host, hosted: undefined, credential: undefined, forkCredential: undefined }
  if (host === undefined) {
    const plain = plainCredential(credential)
    return { host, hosted: undefined, credential: plain, forkCredential: plain }
  }
  const { site, path } = repository
  const fork = forkPath === undefined ? undefined : { site, path: forkPath }
  const hosted = host.open(hosts.ports, credential, { site, path }, fork)
  return {
    host,
    hosted,
    credential: (renew) => hosted.gitCredential('repository', renew),
    forkCredential: (renew) => hosted.gitCredential('fork', renew),
  }
}

function plainCredential(credential: HostCredential): CredentialSource | undefined {
  if (credential.kind !== 'token') return undefined
  const { token, username = 'git' } = credential
  return async () => ({ username, password: token })
}
