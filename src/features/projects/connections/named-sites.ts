import type { Hosts } from '../../../integrations/forges/hosts.ts'
import { outsideAct } from '../../../store/acts.ts'
import type { Reader, Store } from '../../../store/database.ts'
import { readAddress } from '../../../lib/repository-address.ts'

/** The sites that are known or that the operator has configured. */
export function configuredSites({ all, credentials, sites }: Hosts): string[] {
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
