import { AppError } from '../../lib/errors.ts'
import type { Host, HostCredential, HostKind, HostPorts, RepositoryAddress } from './host.ts'

/** The server's own credentials, for projects that have none. */
export interface ServerCredential {
  kind: HostKind
  /** The credential is sent to this site and to no other. */
  site: string
  credential: HostCredential
}

/** Every supported kind of host. */
export interface Hosts {
  all: readonly Host[]
  ports: HostPorts
  /** Sites whose kind the operator has configured, besides those that are known. */
  sites: readonly { kind: HostKind; site: string }[]
  /** The first credential of a site is used. */
  credentials: readonly ServerCredential[]
}

/** `git`: a plain git server without pull requests. */
export type RepositoryKind = HostKind | 'git'

export interface RecognisedRepository extends RepositoryAddress {
  kind: RepositoryKind
}

export function findHost({ all }: Hosts, kind: RepositoryKind): Host | undefined {
  return all.find((host) => host.kind === kind)
}

export function serverCredential(
  { credentials }: Hosts,
  { kind, site }: RecognisedRepository,
): HostCredential | undefined {
  return credentials.find((one) => one.kind === kind && one.site === site)?.credential
}

/**
 * Finds the host of a repository's address: by the kind that was given, by its site, or else by asking the site.
 * @throws AppError `invalid` when the address cannot be one of that kind
 */
export async function recogniseRepository(
  hosts: Hosts,
  url: string,
  named?: RepositoryKind,
): Promise<RecognisedRepository> {
  const known = knownSite(hosts, url, named)
  if (known) return addressOn(known.site, url, named ?? known.kind)
  const { origin, pathname } = new URL(url)
  const [first = '', ...rest] = pathname.split('/').filter((part) => part !== '')
  const isNested = rest.length > 1
  if (named === 'git' || (named !== undefined && !isNested)) return addressOn(origin, url, named)
  // The host itself may be served below a path.
  for (const site of isNested ? [origin, `${origin}/${first}`] : [origin]) {
    const kind = await detect(hosts, site, named)
    if (kind !== undefined) return addressOn(site, url, kind)
  }
  return addressOn(origin, url, named ?? 'git')
}

/** Like `recogniseRepository`, but without a request; `near` is a repository on the same site. */
export function recogniseKnown(
  hosts: Hosts,
  url: string,
  near: RecognisedRepository | undefined,
): RecognisedRepository {
  const { site, kind } = near ??
    knownSite(hosts, url, undefined) ?? { site: new URL(url).origin, kind: 'git' }
  return addressOn(site, url, kind)
}

/**
 * The address that git clones from.
 * @param path of a repository on the site
 */
export function gitUrl(site: string, path: string): string {
  return `${site}/${encodeURI(path)}.git`
}

function knownSite(
  { all, sites }: Hosts,
  url: string,
  kind: RepositoryKind | undefined,
): { kind: HostKind; site: string } | undefined {
  const own = all.flatMap((host) => host.sites.map((site) => ({ kind: host.kind, site })))
  const fitting = [...sites, ...own].filter(({ site }) => url.startsWith(`${site}/`))
  return fitting.find((one) => one.kind === kind) ?? fitting[0]
}

function addressOn(site: string, url: string, kind: RepositoryKind): RecognisedRepository {
  const whole = decodeURI(url.slice(site.length))
    .replace(/^\/+/, '')
    .replace(/(?<!\/)\/+$/, '')
  const path = (kind === 'git' ? whole : withoutPage(whole, kind)).replace(/\.git$/, '')
  if (kind !== 'git' && !/^[^/]+(?:\/[^/]+)+$/.test(path))
    throw new AppError(
      'invalid',
      `${url} is not a repository URL. It must end in owner/name, such as ${site}/example/handbook`,
    )
  if (kind !== 'git' && kind !== 'gitlab' && path.split('/').length > 2) {
    const address = `${site}/${path.split('/').slice(0, 2).join('/')}`
    throw new AppError('invalid', `${url} is not a repository URL. Try ${address}`)
  }
  return { kind, site, path }
}

/** The path segments after owner and name that begin a repository's pages on its host. */
const pages = new Set(
  'tree blob raw src blame commit commits branch branches tag tags releases compare pull pulls pull-requests issues wiki actions pipelines projects settings activity'.split(
    ' ',
  ),
)

// People often copy the address of one of the repository's pages from the browser.
function withoutPage(path: string, kind: HostKind): string {
  if (kind === 'gitlab') return path.replace(/\/-(?:\/.*)?$/s, '')
  const [owner = '', name = '', page] = path.split('/')
  return page !== undefined && pages.has(page) ? `${owner}/${name}` : path
}

async function detect(
  { all, ports }: Hosts,
  site: string,
  named: HostKind | undefined,
): Promise<HostKind | undefined> {
  const hosts = all.filter(({ kind }) => named === undefined || kind === named)
  const kinds = await Promise.all(
    hosts.map(async (host) => ((await host.detect(ports, site).catch(() => false)) ? host.kind : undefined)),
  )
  return kinds.find((kind) => kind !== undefined)
}
