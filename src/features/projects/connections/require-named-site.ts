import { ownCommand } from '../../../lib/own-command.ts'
import { AppError } from '../../../lib/errors.ts'
import { addressKind } from '../../../lib/network-address.ts'
import type { Hosts } from '../../../integrations/forges/hosts.ts'
import type { Reader } from '../../../store/database.ts'
import { belongsTo, type Caller } from '../allow.ts'
import { readAddress } from './read-address.ts'

/**
 * Addresses from people in browsers must not lead into the server's own network, unless the operator has allowed
 * the site: by the configuration, or by a project that the caller knows of.
 * @param resolveName resolves a host name to addresses
 * @throws AppError `invalid` that says how to allow the site
 */
export async function requireNamedSite(
  ports: { db: Reader; hosts: Hosts; caller: Caller; resolveName: (name: string) => Promise<string[]> },
  location: string,
): Promise<void> {
  const address = readAddress(location)
  const url = URL.canParse(address) ? new URL(address) : undefined
  // An invalid address is refused elsewhere, with its own message.
  if (!url || (await isNamed(ports, url.href))) return
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = await ports.resolveName(name).catch(() => [])
  if (addresses.length === 0)
    throw new AppError('invalid', `${name} has no address that this server can find: check the spelling`)
  if (addresses.some((one) => addressKind(one) !== 'public'))
    throw new AppError(
      'invalid',
      `${name} is in the server's own network: add the first project of that site on the server, with "${ownCommand} project add", or name it there with GITHUB_URL, GITLAB_URL or GITEA_URL`,
    )
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
  const named = [...hosts.all, ...hosts.credentials, ...hosts.sites].flatMap((one) =>
    'sites' in one ? one.sites : [one.site],
  )
  return [...named, ...known.map(({ site }) => site)].some((site) => href.startsWith(`${site}/`))
}
