import type { IndexedProject, Indexes } from './indexes.ts'
import type { SearchFilter } from './search/filter-pages.ts'
import { search, type SectionHit } from './search/search.ts'

export interface DocsQuery {
  query: string
  /** Pages. */
  limit: number
  filter?: SearchFilter | undefined
  /** The page that the reader is on: it and its neighbours rank higher. */
  currentPath?: string | undefined
  /** What the reader has selected or pasted: its rarest words count a little. */
  context?: string | undefined
}

/** A page that answers, with what it says about it. */
export interface DocsHit {
  path: string
  url: string
  title: string
  language: string | undefined
  version: string | undefined
  /** Headings down to the best section. */
  heading: string | undefined
  anchor: string | undefined
  /** The page's best sections, the best first. */
  content: string
  score: number
}

/** Searches a project's pages; `confidence` from 0 (the docs do not speak of it) to 1. */
export async function searchDocs(
  indexes: Indexes,
  project: IndexedProject,
  { query, limit, filter, currentPath, context }: DocsQuery,
): Promise<{ hits: DocsHit[]; confidence: number }> {
  const index = await indexes.get(project)
  const { hits, confidence } = search(index, { query, limit, filter, boost: { path: currentPath }, context })
  return {
    confidence,
    hits: hits.map(({ sections, ...page }) => {
      const [best, ...others] = sections
      return {
        ...page,
        heading: best && best.headings.length > 0 ? best.headings.join(' – ') : undefined,
        anchor: best?.anchor,
        // The best section alone often holds only half of the answer.
        content: [best?.text ?? '', ...others.map(withHeading)].join('\n\n').trim(),
      }
    }),
  }
}

function withHeading({ headings, text }: SectionHit): string {
  const heading = headings.at(-1)
  return heading === undefined ? text : `## ${heading}\n\n${text}`
}
