import { AppError } from '../../lib/errors.ts'
import type { Host, HostCredential, HostKind, HostPorts, RepositoryAddress } from './host.ts'

/** What the server itself brings for projects without a credential of their own. */
export interface ServerCredential {
  kind: HostKind
  /** It is sent there and nowhere else. */
  site: string
  credential: HostCredential
}

/** Every kind of host that is known here. */
export interface Hosts {
  all: readonly Host[]
  ports: HostPorts
  /** Sites whose kind the operator has named, besides those that the hosts themselves know. */
  sites: readonly { kind: HostKind; site: string }[]
  /** The first of a site is used. */
  credentials: readonly ServerCredential[]
}

/** `git`: nothing but git is known of it. */
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
 * Tells the host of a repository's address: by a kind that was named, by its site, and only else by asking the site.
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
  // The host itself may live below a path.
  for (const site of isNested ? [origin, `${origin}/${first}`] : [origin]) {
    const kind = await detect(hosts, site, named)
    if (kind !== undefined) return addressOn(site, url, kind)
  }
  return addressOn(origin, url, named ?? 'git')
}

/** As `recogniseRepository`, by what is known without asking anybody; `near` is a repository on the same site. */
export function recogniseKnown(
  hosts: Hosts,
  url: string,
  near: RecognisedRepository | undefined,
): RecognisedRepository {
  const { site, kind } = near ??
    knownSite(hosts, url, undefined) ?? { site: new URL(url).origin, kind: 'git' }
  return addressOn(site, url, kind)
}

/** What git takes. @param path of a repository on the site */
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
      `${url} is not the address of a repository: it ends in owner/name, such as ${site}/example/handbook`,
    )
  if (kind !== 'git' && kind !== 'gitlab' && path.split('/').length > 2) {
    const address = `${site}/${path.split('/').slice(0, 2).join('/')}`
    throw new AppError('invalid', `${url} is not the address of a repository: it may be ${address}`)
  }
  return { kind, site, path }
}

/** Words after owner and name by which the pages of a repository begin. */
const pages = new Set(
  'tree blob raw src blame commit commits branch branches tag tags releases compare pull pulls pull-requests issues wiki actions pipelines projects settings activity'.split(
    ' ',
  ),
)

// What people copy from the browser is often a page of the repository.
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
  const asked = all.filter(({ kind }) => named === undefined || kind === named)
  const found = await Promise.all(
    asked.map(async (host) => ((await host.detect(ports, site).catch(() => false)) ? host.kind : undefined)),
  )
  return found.find((kind) => kind !== undefined)
}
