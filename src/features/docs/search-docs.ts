import type { SearchedProject } from './enrich/enriched-indexes.ts'
import type { IndexedProject, Indexes } from './indexes.ts'
import { search, type SearchRequest, type SearchResult } from './search/search.ts'

/** Searches a project's pages for the sections that answer, or one of its pages (`within`). */
export async function searchDocs(
  indexes: Indexes,
  project: IndexedProject & SearchedProject,
  request: SearchRequest,
): Promise<SearchResult> {
  const [index, also] = await Promise.all([indexes.get(project), indexes.enriched?.rank(project, request)])
  return search(index, { ...request, also })
}
