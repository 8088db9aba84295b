import { requirePublic } from '../../../lib/check-address.ts'
import { hostOf } from '../../../lib/network-address.ts'
import type { ResolveName } from '../../../lib/pinned-request.ts'
import type { Hosts } from '../../../integrations/forges/hosts.ts'
import type { Reader } from '../../../store/database.ts'
import { belongsTo, type Caller } from '../allow.ts'
import { configuredSites } from './named-sites.ts'
import { readAddress } from '../../../lib/repository-address.ts'

/**
 * Addresses from people in browsers must not lead into the server's own network, unless the operator has allowed
 * the site: by the configuration, or by a project that the caller knows of.
 * @param resolveName resolves a host name to addresses
 * @throws AppError `invalid` that says how to allow the site
 */
export async function requireNamedSite(
  ports: { db: Reader; hosts: Hosts; caller: Caller; resolveName: ResolveName },
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
  { db, hosts, caller }: { db: Reader; hosts: Hosts; caller: Caller },
  href: string,
): Promise<boolean> {
  const rows = await db
    .selectFrom('project_hosts')
    .innerJoin('projects', 'projects.id', 'project_hosts.project_id')
    .select(['project_hosts.site', 'organization_id'])
    .distinct()
    .execute()
  const known = rows.filter((row) => belongsTo(caller, row.organization_id))
  return [...configuredSites(hosts), ...known.map(({ site }) => site)].some((site) =>
    href.startsWith(`${site}/`),
  )
}
