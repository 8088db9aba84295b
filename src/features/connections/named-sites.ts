import type { Hosts } from '../../integrations/forges/hosts.ts'
import { outsideAct } from '../../store/acts.ts'
import type { Reader, Store } from '../../store/database.ts'
import { readAddress } from '../../lib/repository-address.ts'
import { requirePublic } from '../../lib/check-address.ts'
import { hostOf } from '../../lib/network-address.ts'
import type { ResolveName } from '../../lib/pinned-request.ts'

/** The sites that are known or that the operator has configured. */
function configuredSites({ all, credentials, sites }: Hosts): string[] {
  return [...all, ...credentials, ...sites].flatMap((one) => ('sites' in one ? one.sites : [one.site]))
}

/** Keeps that the operator has named the site of a repository, so that it may be in the server's own network. */
export async function nameSite(store: Store, location: string): Promise<void> {
  const address = readAddress(location)
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return
  const { origin } = url
  // The line of the audit log is written with what is done at the site.
  await outsideAct(() =>
    store.transaction(async (tx) => {
      await tx
        .insertInto('named_sites')
        .values({ origin })
        .onConflict((conflict) => conflict.column('origin').doNothing())
        .execute()
    }),
  )
}

/** Whether an address is on a site that is configured or that the operator has named. */
export async function isOnNamedSite(db: Reader, hosts: Hosts, { origin }: URL): Promise<boolean> {
  // Some hosts have their API below a name of its own, such as api.github.com.
  const origins = [origin, origin.replace('://api.', '://')]
  const configured = configuredSites(hosts).map((site) => new URL(site).origin)
  if (origins.some((one) => configured.includes(one))) return true
  const row = await db
    .selectFrom('named_sites')
    .select('origin')
    .where('origin', 'in', origins)
    .executeTakeFirst()
  return row !== undefined
}

type Knows = (organizationId: string) => boolean

/**
 * Addresses from people in browsers must not lead into the server's own network, unless the operator has allowed
 * the site: by the configuration, or by a project that the caller knows of.
 * @param ports.knows whether the caller knows of the projects of an organization
 * @param ports.resolveName resolves a host name to addresses
 * @throws AppError `invalid` that says how to allow the site
 */
export async function requireNamedSite(
  ports: { db: Reader; hosts: Hosts; knows: Knows; resolveName: ResolveName },
  location: string,
): Promise<void> {
  const address = readAddress(location)
  const url = URL.canParse(address) ? new URL(address) : undefined
  // An invalid address is refused elsewhere, with its own message.
  if (!url || (await isNamed(ports, url.href))) return
  const name = hostOf(url)
  requirePublic(name, await ports.resolveName(name).catch(() => []))
}

async function isNamed(
  { db, hosts, knows }: { db: Reader; hosts: Hosts; knows: Knows },
  href: string,
): Promise<boolean> {
  const rows = await db
    .selectFrom('project_hosts')
    .innerJoin('projects', 'projects.id', 'project_hosts.project_id')
    .select(['project_hosts.site', 'organization_id'])
    .distinct()
    .execute()
  const known = rows.filter((row) => knows(row.organization_id))
  return [...configuredSites(hosts), ...known.map(({ site }) => site)].some((site) =>
    href.startsWith(`${site}/`),
  )
}
