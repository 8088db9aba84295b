import type { EnrichmentColumn } from '../../store/columns.ts'
import type { ProjectSettings } from './settings/schemas.ts'

/** How far models are with the sections of a project's pages; `waiting`: they have not begun. */
export interface EnrichmentState {
  state: 'waiting' | 'running' | 'ready' | 'ceiling' | 'failed'
  /** Sections. */
  done: number
  total: number
  /** Why it stands still. */
  error: string | undefined
  /** What people should know of it. */
  notice: string | undefined
  /** When it is tried again. */
  retryAt: Date | undefined
  /** Incremented with every change of what enriches the search. */
  revision: number
  /** Whether there is something to do now. */
  isDue: boolean
}

/** Reads the state from a project's row; undefined where no model is to read the sections. */
export function readEnrichment(
  row: { enrichment: EnrichmentColumn; enrichment_revision: number; generation: number },
  { enrichment: settings }: ProjectSettings,
): EnrichmentState | undefined {
  if (settings?.questions === undefined && settings?.vectors === undefined) return undefined
  const revision = row.enrichment_revision
  const { state, done = 0, total = 0, error, notice, generation, settings: of, ...stored } = row.enrichment
  const isSame = (['questions', 'vectors', 'ceiling'] as const).every((name) => of?.[name] === settings[name])
  if (state === undefined || !isSame)
    return {
      state: 'waiting',
      done: 0,
      total: 0,
      error: undefined,
      notice: undefined,
      retryAt: undefined,
      revision,
      isDue: true,
    }
  const retryAt = stored.retryAt === undefined ? undefined : new Date(stored.retryAt)
  const isChecked = settings.vectors === undefined || Date.parse(stored.checkAt ?? '') > Date.now()
  const isDone = state === 'ready' && generation === row.generation && isChecked
  const isDue = !isDone && (retryAt === undefined || retryAt.getTime() <= Date.now())
  return { state, done, total, error, notice, retryAt, revision, isDue }
}
