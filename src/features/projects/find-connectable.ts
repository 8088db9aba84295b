import { AppError } from '../../lib/errors.ts'
import type { HostAccess, HostCredential } from '../../integrations/forges/host.ts'
import { recogniseRepository } from '../../integrations/forges/hosts.ts'
import type { Hosts, RecognisedRepository, RepositoryKind } from '../../integrations/forges/hosts.ts'
import { openRepository } from '../../integrations/forges/open-repository.ts'
import type { OpenedRepository } from '../../integrations/forges/open-repository.ts'
import { remoteFromUrl } from '../../integrations/git/remote.ts'
import type { Remote } from '../../integrations/git/remote.ts'
import { explainAccess } from './explain-access.ts'

/** A repository elsewhere that was found to answer, ready to be connected to a project. */
export interface Connectable {
  repository: RecognisedRepository
  forkPath: string | undefined
  credential: HostCredential | undefined
  login: string | undefined
  remote: Remote
  /** What is missing, for people. */
  notes: string[]
}

/**
 * Recognises the host of an address, and asks it what the credential may do.
 * @throws AppError for a credential that opens nothing, and for what can be no repository of that host
 */
export async function findConnectable(
  hosts: Hosts,
  url: string,
  input: {
    host?: RepositoryKind | undefined
    credential?: HostCredential | undefined
    fork?: string | undefined
  },
): Promise<Connectable> {
  const { credential } = input
  const named = await recogniseRepository(hosts, url, input.host)
  const forkPath = input.fork === undefined ? undefined : await pathOfFork(hosts, named, input.fork)
  const opened = openRepository(hosts, named, credential, forkPath)
  const access = await opened.hosted?.checkAccess()
  const renamed = access && access.path.toLowerCase() !== named.path.toLowerCase() ? access.path : undefined
  const repository = renamed === undefined ? named : { ...named, path: renamed }
  const address = renamed === undefined ? url : `${named.site}/${encodeURI(renamed)}.git`
  return {
    repository,
    forkPath,
    credential,
    login: access?.login,
    remote: remoteFromUrl(address, { credential: opened.credential }),
    notes: [
      ...(renamed === undefined ? [] : [`The repository is called ${renamed} now: the project uses that`]),
      ...explainAccess(opened, access),
    ],
  }
}

async function pathOfFork(hosts: Hosts, upstream: RecognisedRepository, url: string): Promise<string> {
  const { site, path } = await recogniseRepository(hosts, url, upstream.kind)
  if (site !== upstream.site || path === upstream.path)
    throw new AppError('invalid', `A fork is another repository on ${upstream.site}: give its address`)
  if (upstream.kind === 'git')
    throw new AppError('invalid', 'Forks need a host that is known: name it with --host')
  return path
}

/** Asks the host again, for a connection that was made before. */
export async function inspectAccess(
  opened: OpenedRepository,
): Promise<{ access: HostAccess | undefined; notes: string[] }> {
  const access = await opened.hosted?.checkAccess()
  return { access, notes: explainAccess(opened, access) }
}
