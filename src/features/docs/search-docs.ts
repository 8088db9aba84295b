import type { IndexedProject, Indexes } from './indexes.ts'
import { search, type SearchRequest, type SearchResult } from './search/search.ts'

/** Searches a project's pages for the sections that answer, or one of its pages (`within`). */
export async function searchDocs(
  indexes: Indexes,
  project: IndexedProject,
  request: SearchRequest,
): Promise<SearchResult> {
  return search(await indexes.get(project), request)
}
