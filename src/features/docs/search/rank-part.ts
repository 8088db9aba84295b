import type { QueryTerm } from './query.ts'
import type { Ranking } from './ranking.ts'
import type { SearchIndex } from './search-index.ts'
import type { Segment } from './segment.ts'

/** A page that may be a hit, with its sections that match the query, best first; at least one. */
export interface Candidate {
  part: number
  page: number
  score: number
  sections: { section: number; score: number }[]
}

/** The lightest terms, up to this share of the query's weight, are counted last. */
const lateShare = 0.25

/** The number of pages for which they are counted. */
const inReach = 300

/**
 * The best `count` pages of one part among those `allowed`, best first. Terms of little weight occur on most pages
 * and would take most of the time. They are counted last, and only for the pages that score highest without them;
 * in the retrieval benchmark this changes no result.
 */
export function rankPart(
  ranking: Ranking,
  index: SearchIndex,
  part: number,
  terms: QueryTerm[],
  allowed: (page: number) => boolean,
  count: number,
): Candidate[] {
  const segment = index.parts[part]?.segment
  if (segment === undefined) return []
  const scores = emptyScores(segment)
  const scorer = termScorer(ranking, index, segment, scores)
  const { early, late } = splitTerms(terms)
  for (const term of early) scorer.all(term, term.places[part] ?? -1)

  let pages = rankPages(ranking, segment, scores, allowed)
  if (late.length > 0 && pages.length > inReach) {
    const left = pages.atLeast(inReach)
    for (const term of late) scorer.only(term, term.places[part] ?? -1, left)
    pages = totalPages(ranking, segment, scores, left)
  } else if (late.length > 0) {
    for (const term of late) scorer.all(term, term.places[part] ?? -1)
    pages = rankPages(ranking, segment, scores, allowed)
  }
  return pages
    .best(count)
    .map(({ page, score }) => ({ part, page, score, sections: sectionsOf(segment, scores, page) }))
}

/** Separates the lightest terms, up to a share of the whole weight, which are counted last. */
function splitTerms(terms: QueryTerm[]): { early: QueryTerm[]; late: QueryTerm[] } {
  const byWorth = [...terms].sort((a, b) => a.worth - b.worth)
  const share = lateShare * byWorth.reduce((sum, term) => sum + term.worth, 0)
  let sum = 0
  const split = byWorth.findIndex((term) => (sum += term.worth) > share)
  return split < 0
    ? { early: byWorth, late: [] }
    : { early: byWorth.slice(split), late: byWorth.slice(0, split) }
}

/** The pages that have a score and are allowed. */
function rankPages(
  ranking: Ranking,
  segment: Segment,
  scores: PartScores,
  allowed: (page: number) => boolean,
) {
  const pages = new Uint32Array(segment.pages)
  let length = 0
  for (let page = 0; page < segment.pages; page++) {
    if (scores.pages[page] !== 0 && allowed(page)) pages[length++] = page
  }
  return totalPages(ranking, segment, scores, pages.subarray(0, length))
}

function totalPages(ranking: Ranking, segment: Segment, scores: PartScores, pages: Uint32Array) {
  const totals = new Float64Array(pages.length)
  for (let at = 0; at < pages.length; at++) totals[at] = totalOf(ranking, segment, scores, pages[at] ?? 0)
  return {
    length: pages.length,
    atLeast: (count: number): Uint32Array => pages.filter(passesBest(totals, count)),
    best: (count: number) =>
      keepBest(totals, count).map(({ at, score }) => ({ page: pages[at] ?? 0, score })),
  }
}

function totalOf(ranking: Ranking, segment: Segment, scores: PartScores, page: number): number {
  const first = segment.pageSections[page] ?? 0
  const end = segment.pageSections[page + 1] ?? 0
  let best = 0
  let second = 0
  for (let section = first; section < end; section++) {
    const score = scores.sections[section] ?? 0
    if (score > best) {
      second = best
      best = score
    } else if (score > second) second = score
  }
  // A single section counts twice, so that short pages are not ranked lower than pages with several sections.
  if (end - first === 1) second = best
  const floor = scores.floors[page] ?? 0
  const sections = best + floor + ranking.secondSection * (second + floor)
  return ranking.pageShare * (scores.pages[page] ?? 0) + (1 - ranking.pageShare) * sections
}

function sectionsOf(segment: Segment, scores: PartScores, page: number): Candidate['sections'] {
  const first = segment.pageSections[page] ?? 0
  const floor = scores.floors[page] ?? 0
  const sections: Candidate['sections'] = []
  for (let section = first; section < (segment.pageSections[page + 1] ?? 0); section++) {
    const score = scores.sections[section] ?? 0
    if (score > 0) sections.push({ section, score: score + floor })
  }
  return sections.length === 0
    ? [{ section: first, score: floor }]
    : sections.sort((a, b) => b.score - a.score || a.section - b.section)
}

const spare = new WeakMap<Segment, PartScores>()

/** How many bytes a search of the segment adds to it. */
export function scoreBytes({ pages, sections, textScales }: Segment): number {
  return (pages * 2 + sections + textScales.length) * Float32Array.BYTES_PER_ELEMENT
}

/** Arrays of zeros. Searches are synchronous, so they can share them. */
function emptyScores(segment: Segment): PartScores {
  const used = spare.get(segment)
  if (used !== undefined) {
    for (const scores of Object.values(used)) scores.fill(0)
    return used
  }
  const scores = {
    pages: new Float32Array(segment.pages),
    floors: new Float32Array(segment.pages),
    sections: new Float32Array(segment.sections),
  }
  spare.set(segment, scores)
  return scores
}

/** The `count` highest scores with their positions, highest first. Of equal ones the first are taken. */
function keepBest(scores: Float64Array, count: number): { at: number; score: number }[] {
  const best: { at: number; score: number }[] = []
  let bar = -Infinity
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at] ?? 0
    if (best.length >= count) {
      if (score <= bar) continue
      best.pop()
    }
    let place = best.length
    while (place > 0 && (best[place - 1]?.score ?? 0) < score) place -= 1
    best.splice(place, 0, { at, score })
    if (best.length >= count) bar = best[best.length - 1]?.score ?? -Infinity
  }
  return best
}

/**
 * Returns a filter by position that passes the `count` highest scores, and the few that differ from the lowest of
 * them by less than a sixteenth of a percent. It takes linear time, which keepBest does not for a large count.
 */
function passesBest(scores: Float64Array, count: number): (score: unknown, at: number) => boolean {
  let highest = 0
  for (const score of scores) if (score > highest) highest = score
  const steps = 1600
  const scale = highest === 0 ? 0 : (steps - 1) / highest
  const tally = new Uint32Array(steps)
  for (const score of scores) {
    const step = Math.floor(score * scale)
    tally[step] = (tally[step] ?? 0) + 1
  }
  let bar = steps - 1
  for (let passed = tally[bar] ?? 0; passed < count && bar > 0; passed += tally[bar] ?? 0) bar -= 1
  return (_, at) => Math.floor((scores[at] ?? 0) * scale) >= bar
}

/** The scores of one segment's pages and, separately, of their sections. */
interface PartScores {
  pages: Float32Array
  /** The score that every section of a page gets from the page's title and path. */
  floors: Float32Array
  /** The further score of each section. */
  sections: Float32Array
}

/**
 * Returns a function that adds the BM25F score of one term, over the fields of pages and over those of sections, to
 * every page that has the term, or only to `pages` (in ascending order).
 */
function termScorer(ranking: Ranking, index: SearchIndex, segment: Segment, scores: PartScores) {
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
        // Two bits hold this count, and values above 2 are counted as 2.
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

/** The length normalisation of a field as a linear function, which is 1 at the average length. */
export function norm(b: number, average: number): { base: number; slope: number } {
  return { base: 1 - b, slope: b / average }
}
