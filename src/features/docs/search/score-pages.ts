import type { QueryTerm } from './query.ts'
import type { Ranking } from './ranking.ts'
import type { SearchIndex } from './search-index.ts'
import type { Segment } from './segment.ts'

/** What the pages of one segment score, page by page and, apart, section by section. */
export interface PartScores {
  pages: Float32Array
  /** What every section of a page gains from the page's title and path alone. */
  floors: Float32Array
  /** What each section gains beyond that. */
  sections: Float32Array
}

/**
 * Gives a function that adds the BM25F score of one term, over the fields of pages and over those of sections,
 * to every page that holds it, or only to `pages` (in ascending order).
 */
export function termScorer(ranking: Ranking, index: SearchIndex, segment: Segment, scores: PartScores) {
  const { postingStarts, postingPages, postingFields, postingSections, sectionSlots, sectionCounts } = segment
  const { pageSections, pageLengths, sectionLengths } = segment
  const { k1, titleWeight, pathWeight, headingsWeight } = ranking
  const { sectionTitleWeight, sectionPathWeight, sectionHeadingsWeight } = ranking
  const title = norm(ranking.titleB, index.averages.title)
  const headings = norm(ranking.headingsB, index.averages.headings)
  const path = norm(ranking.pathB, index.averages.path)
  const body = norm(ranking.bodyB, index.averages.body)
  const section = norm(ranking.sectionB, index.averages.section)

  function addPosting(posting: number, worth: number): void {
    const page = postingPages[posting] ?? 0
    const packed = postingFields[posting] ?? 0
    let mass = 0
    let floor = 0
    let floorGain = 0
    if (packed !== 0) {
      const inTitle = (packed & 7) / (title.base + title.slope * (pageLengths[page * 4] ?? 0))
      const inPath = ((packed >> 3) & 7) / (path.base + path.slope * (pageLengths[page * 4 + 2] ?? 0))
      const inHeadings = (packed >> 6) / (headings.base + headings.slope * (pageLengths[page * 4 + 1] ?? 0))
      mass = titleWeight * inTitle + pathWeight * inPath + headingsWeight * inHeadings
      floor = sectionTitleWeight * inTitle + sectionPathWeight * inPath
      floorGain = (worth * floor) / (floor + k1)
      scores.floors[page] = (scores.floors[page] ?? 0) + floorGain
    }
    const first = pageSections[page] ?? 0
    const end = postingSections[posting + 1] ?? 0
    let inPage = 0
    for (let i = postingSections[posting] ?? 0; i < end; i++) {
      const counts = sectionCounts[i] ?? 0
      const at = first + (sectionSlots[i] ?? 0)
      const inBody = counts & 63
      inPage += inBody
      const sectionMass =
        floor +
        // Twice on the way down says no more than once at each end.
        sectionHeadingsWeight * (counts >= 128 ? 2 : counts >> 6) +
        inBody / (section.base + section.slope * (sectionLengths[at] ?? 0))
      scores.sections[at] =
        (scores.sections[at] ?? 0) + (worth * sectionMass) / (sectionMass + k1) - floorGain
    }
    if (inPage > 0) mass += inPage / (body.base + body.slope * (pageLengths[page * 4 + 3] ?? 0))
    scores.pages[page] = (scores.pages[page] ?? 0) + (worth * mass) / (mass + k1)
  }

  return {
    all(term: QueryTerm, place: number): void {
      const worth = term.worth * (k1 + 1)
      const end = postingStarts[place + 1] ?? 0
      for (let posting = postingStarts[place] ?? 0; posting < end; posting++) addPosting(posting, worth)
    },
    only(term: QueryTerm, place: number, pages: Uint32Array): void {
      const worth = term.worth * (k1 + 1)
      const end = postingStarts[place + 1] ?? 0
      let from = postingStarts[place] ?? 0
      for (const page of pages) {
        let to = end
        while (from < to) {
          const middle = (from + to) >>> 1
          if ((postingPages[middle] ?? 0) < page) from = middle + 1
          else to = middle
        }
        if (from === end) return
        if (postingPages[from] === page) addPosting(from, worth)
      }
    },
  }
}

/** A field's length norm as a straight line: 1 at the average length. */
function norm(b: number, average: number): { base: number; slope: number } {
  return { base: 1 - b, slope: b / average }
}
