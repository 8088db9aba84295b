import { inSpan } from '../../lib/trace.ts'
import type { SearchedProject } from './enrich/enriched-indexes.ts'
import type { IndexedProject, Indexes } from './indexes.ts'
import { search, type SearchRequest, type SearchResult } from './search/search.ts'

/** Searches a project's pages for the sections that answer, or one of its pages (`within`). */
export async function searchDocs(
  indexes: Indexes,
  project: IndexedProject & SearchedProject,
  request: SearchRequest,
): Promise<SearchResult> {
  return inSpan('search', { 'docwright.project': project.id }, async (span) => {
    const [index, also] = await Promise.all([indexes.get(project), indexes.enriched?.rank(project, request)])
    const result = search(index, { ...request, also })
    span.set({ 'docwright.hits': result.hits.length })
    return result
  })
}
