import type { SearchHit } from '../ports.ts'

/** Results of one search, best first. */
export interface RankedHits {
  hits: SearchHit[]
  /** How much its ranks count. */
  weight: number
}

/** How slowly ranks lose worth: with 5, the first place counts twice the sixth. Measured with bench/dialogues.ts. */
const slowness = 5
/** What each further section of a page counts of the one before it, so that several pages come first. */
const furtherSection = 0.6
const mostOfPage = 3

/**
 * Fuses results by reciprocal rank. Ranks are those of pages, because searches find different sections of one page;
 * a page's sections are then ordered by how well each search placed them.
 */
export function fuseResults(lists: RankedHits[]): SearchHit[] {
  const [only] = lists
  if (only === undefined || lists.length === 1) return only?.hits ?? []
  const pages = new Map<string, { worth: number; sections: Map<string, { hit: SearchHit; worth: number }> }>()
  for (const { hits, weight } of lists) {
    const ranks = new Map<string, { rank: number; sections: number }>()
    for (const hit of hits) {
      const place = ranks.get(hit.path) ?? { rank: ranks.size, sections: 0 }
      ranks.set(hit.path, place)
      const page = pages.get(hit.path) ?? { worth: 0, sections: new Map() }
      pages.set(hit.path, page)
      const worth = weight / (slowness + place.rank + 1)
      if (place.sections === 0) page.worth += worth
      const key = `${hit.anchor ?? ''}\n${hit.heading ?? ''}`
      const section = page.sections.get(key) ?? { hit, worth: 0 }
      page.sections.set(key, section)
      section.worth += worth / (place.sections + 1)
      place.sections++
    }
  }
  return [...pages.values()]
    .flatMap(({ worth, sections }) =>
      [...sections.values()]
        .sort((a, b) => b.worth - a.worth)
        .slice(0, mostOfPage)
        .map(({ hit }, place) => ({ hit, worth: worth * furtherSection ** place })),
    )
    .sort((a, b) => b.worth - a.worth)
    .map(({ hit }) => hit)
}
