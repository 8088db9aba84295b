import type { Hosts } from '../../../integrations/forges/hosts.ts'
import type { Reader } from '../../../store/database.ts'
import { resolveOrganization } from '../organizations.ts'

/**
 * The hosts as the projects of an organization use them. The server's own credentials are for the first organization
 * alone: owners of another one name addresses too, and would read with them what only the first one may.
 * @throws AppError `not_found`
 */
export async function hostsOfOrganization(
  db: Reader,
  hosts: Hosts,
  organizationId: string | undefined,
): Promise<Hosts> {
  const { isDefault } = await resolveOrganization(db, organizationId)
  return isDefault ? hosts : withoutCredentials(hosts)
}

/** The same for the organization of a project. */
export async function hostsOfProject(db: Reader, hosts: Hosts, projectId: string): Promise<Hosts> {
  const row = await db
    .selectFrom('projects')
    .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
    .select('is_default')
    .where('projects.id', '=', projectId)
    .executeTakeFirst()
  return row?.is_default === true ? hosts : withoutCredentials(hosts)
}

function withoutCredentials(hosts: Hosts): Hosts {
  return { ...hosts, credentials: [] }
}
