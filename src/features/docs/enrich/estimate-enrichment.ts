import type { Models, ModelUsage } from '../../../integrations/models/model.ts'
import type { Store } from '../../../store/database.ts'
import { hashesDone, listSections, updateSections } from './enriched-pages.ts'
import { tokensRead, vectorTokens } from './enrich-project.ts'
import { spentThisMonth, usualCeiling, type EnrichmentSettings } from './enrichment.ts'
import { questionTokens } from './write-questions.ts'

/** What one model would have to do. */
interface EstimatedWork {
  kind: 'questions' | 'vectors'
  model: string
  /** Sections that it has not read. */
  sections: number
  inputTokens: number
  outputTokens: number
  /** US dollars; undefined where no price is known. */
  cost: number | undefined
}

export interface EnrichmentEstimate {
  /** Different sections of all pages. */
  sections: number
  work: EstimatedWork[]
  /** US dollars this month (UTC). */
  spent: number
  ceiling: number
}

/** Says what it would take to enrich a project with these models. No model is called. */
export async function estimateEnrichment(
  { store, models }: { store: Store; models: Pick<Models, 'find' | 'findEmbedder' | 'costOf'> },
  projectId: string,
  { questions, vectors, ceiling = usualCeiling }: EnrichmentSettings,
): Promise<EnrichmentEstimate> {
  if (questions !== undefined) models.find(questions)
  if (vectors !== undefined) models.findEmbedder(vectors)
  await updateSections(store, projectId, new AbortController().signal)
  const sections = await listSections(store.db, projectId)
  const estimate = async (
    kind: EstimatedWork['kind'],
    model: string,
    usageOf: (sections: { bytes: number }[]) => ModelUsage,
  ): Promise<EstimatedWork> => {
    const table = kind === 'questions' ? 'section_questions' : 'section_vectors'
    const done = await hashesDone(store.db, table, projectId, model, [...sections.keys()])
    const left = [...sections].flatMap(([hash, bytes]) => (done.has(hash) ? [] : [{ bytes }]))
    const usage = usageOf(left)
    const cost = models.costOf(model, usage)
    const { inputTokens, outputTokens } = usage
    const dollars = cost === undefined ? undefined : cost / 1e6
    return { kind, model, sections: left.length, inputTokens, outputTokens, cost: dollars }
  }
  const work: EstimatedWork[] = []
  if (questions !== undefined) work.push(await estimate('questions', questions, questionTokens))
  if (vectors !== undefined)
    work.push(await estimate('vectors', vectors, (left) => tokensRead(vectorTokens(left))))
  return { sections: sections.size, work, spent: (await spentThisMonth(store.db, projectId)) / 1e6, ceiling }
}
