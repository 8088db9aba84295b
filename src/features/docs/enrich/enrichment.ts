import { sql } from 'kysely'
import { json, type Reader, type Tx } from '../../../store/database.ts'
import type { EnrichmentColumn } from '../../../store/columns.ts'

/** The models that enrich a project's sections; absent: it is not done. */
export interface EnrichmentSettings {
  /** The model that writes questions. */
  questions?: string | undefined
  /** The model that makes vectors. */
  vectors?: string | undefined
  /** US dollars in a calendar month (UTC). */
  ceiling?: number | undefined
}

/** What is done where a project names no ceiling. */
export const usualCeiling = 10

/** What the work and the search need to know of a project. */
export interface EnrichedProject {
  id: string
  generation: number
  settings: { enrichment?: EnrichmentSettings | undefined }
}

export interface EnrichmentProgress {
  state: 'running' | 'ready' | 'ceiling' | 'failed'
  /** Sections. */
  done: number
  total: number
  error?: string
  retryAt?: Date
  /** What people should know of it. */
  notice?: string
  /** When the model of vectors is looked at again. */
  checkAt?: Date
}

export function isEnriching(settings: EnrichmentSettings | undefined): settings is EnrichmentSettings {
  return settings?.questions !== undefined || settings?.vectors !== undefined
}

/** Notes how the work is going. */
export async function noteEnrichment(
  tx: Tx,
  { id, settings, generation }: EnrichedProject,
  { retryAt, checkAt, ...now }: EnrichmentProgress,
): Promise<void> {
  const row: EnrichmentColumn = {
    ...now,
    ...(retryAt && { retryAt: retryAt.toISOString() }),
    ...(checkAt && { checkAt: checkAt.toISOString() }),
    settings: settings.enrichment ?? {},
    generation,
  }
  await tx
    .updateTable('projects')
    .set({ enrichment: json(row) })
    .where('id', '=', id)
    .execute()
}

/** Forgets when the work is to be tried again, so that it is due now. */
export async function forgetRetry(tx: Tx, projectId: string): Promise<void> {
  await tx
    .updateTable('projects')
    .set({ enrichment: sql`enrichment - 'retryAt'` })
    .where('id', '=', projectId)
    .execute()
}

/** Raises the project's revision, so that a reader sees all of a change or nothing. */
export async function raiseRevision(tx: Tx, projectId: string): Promise<number> {
  const { enrichment_revision } = await tx
    .updateTable('projects')
    .set({ enrichment_revision: sql<number>`enrichment_revision + 1` })
    .where('id', '=', projectId)
    .returning('enrichment_revision')
    .executeTakeFirstOrThrow()
  return enrichment_revision
}

/** Millionths of a US dollar that enrichment cost this month (UTC). */
export async function spentThisMonth(db: Reader, projectId: string): Promise<number> {
  const { rows } = await sql<{ cost: number }>`
    select coalesce(sum(cost), 0)::int8 as cost from usage_days
    where project_id = ${projectId} and surface = 'enrichment'
      and day >= to_char(now() at time zone 'UTC', 'YYYY-MM-') || '01'
  `.execute(db)
  return rows[0]?.cost ?? 0
}
