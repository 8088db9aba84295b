import type { HostAccess, HostCredential } from '../../integrations/forges/host.ts'
import {
  gitUrl,
  recogniseKnown,
  recogniseRepository,
  type Hosts,
  type RecognisedRepository,
  type RepositoryKind,
} from '../../integrations/forges/hosts.ts'
import { openRepository } from '../../integrations/forges/open-repository.ts'
import { remoteFromUrl, type Remote } from '../../integrations/git/remote.ts'
import { AppError } from '../../lib/errors.ts'
import { explainAccess } from './describe-host.ts'
import { readAddress } from '../../lib/repository-address.ts'

/** A remote repository that answers and can be connected to a project. */
export interface Connectable {
  repository: RecognisedRepository
  forkPath: string | undefined
  credential: HostCredential | undefined
  login: string | undefined
  /** What the host says about the credential; undefined without one, and for plain git. */
  access: HostAccess | undefined
  remote: Remote
  /** Notes for people: what is missing, and which input was corrected. */
  notes: string[]
}

/**
 * Recognises the host of an address, and asks it what the credential may do.
 * @param location an address as people copy it
 * @throws AppError for a credential without access, and for an address that cannot be a repository of that host
 */
export async function findConnectable(
  hosts: Hosts,
  location: string,
  input: {
    host?: RepositoryKind | undefined
    credential?: HostCredential | undefined
    fork?: string | undefined
  },
): Promise<Connectable> {
  const { credential } = input
  const url = normalUrl(location)
  const named = await recogniseRepository(hosts, url, input.host)
  const forkPath = input.fork === undefined ? undefined : pathOfFork(hosts, named, input.fork)
  const opened = openRepository(hosts, named, credential, forkPath)
  const access = await opened.hosted?.checkAccess()
  const repository = access === undefined ? named : { ...named, path: access.path }
  const isRenamed = repository.path.toLowerCase() !== named.path.toLowerCase()
  const isSame = repository.path === named.path && pathIn(url, named.site) === named.path
  const address = isSame ? url : gitUrl(named.site, repository.path)
  const isOther = !isRenamed && comparable(address) !== comparable(location)
  return {
    repository,
    forkPath,
    credential,
    login: access?.login,
    access,
    remote: remoteFromUrl(address, { credential: opened.credential }),
    notes: [
      ...(isRenamed ? [`The repository is called ${repository.path} now: the project uses ${address}`] : []),
      ...(isOther ? [`The repository URL is ${address}. The project uses it`] : []),
      ...explainAccess(opened, access, hosts.ports.now()),
    ],
  }
}

// The host is recognised by its site alone: no request is sent to this address.
function pathOfFork(hosts: Hosts, upstream: RecognisedRepository, fork: string): string {
  if (upstream.kind === 'git') throw new AppError('invalid', 'Forks need a known git host. Name its `host`')
  const url = normalUrl(fork)
  const path = url.startsWith(`${upstream.site}/`) ? recogniseKnown(hosts, url, upstream).path : upstream.path
  if (path === upstream.path)
    throw new AppError('invalid', `A fork must be another repository on ${upstream.site}. Enter its URL`)
  return path
}

// Normalises an address like the sites of hosts, without endings that no repository has.
function normalUrl(location: string): string {
  const remote = remoteFromUrl(readAddress(location))
  return remote.kind === 'url' ? remote.url.replace(/(?<!\/)\/+$/, '') : location
}

function pathIn(url: string, site: string): string {
  return decodeURI(url.slice(site.length + 1)).replace(/\.git$/, '')
}

// Removes what people write in different ways, so that only real differences are reported.
function comparable(address: string): string {
  const { protocol, host, pathname, search, hash } = URL.canParse(address)
    ? new URL(address)
    : { protocol: '', host: '', pathname: address, search: '', hash: '' }
  const path = pathname.replace(/(?<!\/)\/+$/, '').replace(/\.git$/, '')
  return `${protocol}//${host}${path}${search}${hash}`.toLowerCase()
}
