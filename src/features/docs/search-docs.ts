import { AppError } from '../../lib/errors.ts'
import { inSpan } from '../../lib/trace.ts'
import type { SearchedProject } from './enrich/enriched-indexes.ts'
import type { IndexedProject, Indexes } from './indexes.ts'
import { search, type SearchRequest, type SearchResult } from './search/search.ts'

/**
 * Searches a project's pages for the sections that answer, or one of its pages (`within`).
 * @param isPatient whether to wait for the project's first index, however long that takes
 * @throws AppError `unavailable` when there is no index yet
 */
export async function searchDocs(
  indexes: Indexes,
  project: IndexedProject & SearchedProject,
  request: SearchRequest,
  { isPatient = false }: { isPatient?: boolean } = {},
): Promise<SearchResult> {
  return inSpan('search', { 'docwright.project': project.id }, async (span) => {
    const loading = isPatient ? indexes.ready(project) : indexes.get(project)
    const [index, also] = await Promise.all([loading, indexes.enriched?.rank(project, request)])
    const result = search(index, { ...request, also })
    span.set({ 'docwright.hits': result.hits.length })
    return result
  })
}

/** What a search finds; undefined when there is no index yet. */
export async function whenIndexed(result: Promise<SearchResult>): Promise<SearchResult | undefined> {
  try {
    return await result
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return undefined
    throw error
  }
}
