import { sql } from 'kysely'
import type { Hosts } from '../../../integrations/forges/hosts.ts'
import type { Store } from '../../../store/database.ts'
import { findSealedConnection } from '../../../features/connections/connections.ts'
import { updateSettings } from '../../../features/projects/projects.ts'

/**
 * Decides who may read the pages of projects from before this setting: only people who are signed in if the
 * repository needs a credential. The pages of others stay public, as they were.
 * @returns the domains that were decided now, without the demo's
 */
export async function decideVisibility({
  store,
  hosts,
}: {
  store: Store
  hosts: Pick<Hosts, 'credentials'>
}): Promise<{ closed: string[]; open: string[] }> {
  return store.transaction(async (tx) => {
    const undecided = await tx
      .selectFrom('projects')
      .select(['id', 'domain', 'location', 'is_demo'])
      .where(sql<string>`settings ->> 'visibility'`, '=', 'undecided')
      .orderBy('created_at')
      .forUpdate()
      .execute()
    const closed: string[] = []
    const open: string[] = []
    for (const { id, domain, location, is_demo: isDemo } of undecided) {
      const hasCredential =
        (await findSealedConnection(tx, id))?.hasCredential === true ||
        // Compares the site alone, because the kind of the host may not be known yet.
        hosts.credentials.some(({ site }) => location.startsWith(`${site}/`))
      await updateSettings(tx, id, () => ({ visibility: hasCredential ? 'signed-in' : 'public' }))
      if (!isDemo) (hasCredential ? closed : open).push(domain)
    }
    return { closed, open }
  })
}
