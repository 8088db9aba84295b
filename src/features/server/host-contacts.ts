import { sql } from 'kysely'
import type { Reader } from '../../store/database.ts'
import type { HostContact } from './health.ts'

type Row = Pick<HostContact, 'domain' | 'kind' | 'site'> & {
  readAt: Date | null
  calledAt: Date | null
  error: string | null
}

/** The repository of each project, oldest project first. */
export async function listHostContacts(db: Reader): Promise<HostContact[]> {
  const { rows } = await sql<Row>`
    select p.domain, coalesce(h.kind, case p.kind when 'path' then 'folder' else 'git' end) as kind,
      coalesce(h.site, p.location) as site, p.synced_at as "readAt", p.sync_error as error,
      (select max(created_at) from host_deliveries where project_id = h.project_id) as "calledAt"
    from projects p left join project_hosts h on h.project_id = p.id and p.kind = 'https' order by p.created_at
  `.execute(db)
  return rows.map((row) => ({
    ...row,
    readAt: row.readAt ?? undefined,
    calledAt: row.calledAt ?? undefined,
    error: row.error ?? undefined,
  }))
}
