import type { QueryTerm } from './query.ts'
import { norm, type Candidate } from './rank-part.ts'
import type { Ranking } from './ranking.ts'
import { segmentOf, type SearchIndex } from './search-index.ts'
import { findPosting, headingsAt } from './segment-strings.ts'
import type { Segment } from './segment.ts'

/** A section of a page: its passages from `first` to before `end`, and the best of them. */
export interface Section {
  first: number
  end: number
  best: number
  score: number
}

/** How many of a page's sections are ranked by their headings too. */
const reranked = 12

/** The sections of a page that match, best first. */
export function rankSections(
  index: SearchIndex,
  ranking: Ranking,
  { part, page, sections: passages }: Candidate,
  terms: readonly QueryTerm[],
  coverageOf: (heading: string) => number,
): Section[] {
  const segment = segmentOf(index, part)
  const pageSections = sectionsOf(segment, page)
  const { sections, sectionOf } = pageSections
  const start = segment.pageSections[page] ?? 0
  // From the worst passage to the best one, so that each section keeps its best.
  for (const { section: passage, score } of passages.toReversed()) {
    const section = sections[sectionOf[passage - start] ?? 0]
    if (section === undefined) continue
    section.best = passage
    section.score = ranking.passageShare * score
  }
  for (const term of terms) addTerm(index, ranking, segment, pageSections, term, term.places[part] ?? -1)
  const order = (a: Section, b: Section): number => b.score - a.score || a.first - b.first
  const sorted = sections.filter(({ score }) => score > 0).sort(order)
  const best = sorted.slice(0, reranked)
  for (const section of best) {
    const heading = headingsAt(segment, section.first).at(-1)
    if (heading !== undefined) section.score += ranking.ownHeadingBoost * coverageOf(heading)
  }
  return sorted.length === 0 ? sections.slice(0, 1) : [...best.sort(order), ...sorted.slice(reranked)]
}

/** The sections of a page, their lengths in words, and the number of its section for each passage. */
interface PageSections {
  page: number
  sections: Section[]
  lengths: number[]
  sectionOf: number[]
}

/**
 * Adds the score of one term to the sections of a page. What the whole page is about does not tell its sections apart, so
 * a term weighs more the fewer of the sections have it.
 */
function addTerm(
  index: SearchIndex,
  ranking: Ranking,
  segment: Segment,
  { page, sections, lengths, sectionOf }: PageSections,
  { worth }: QueryTerm,
  place: number,
): void {
  const posting = findPosting(segment, place, page)
  if (posting < 0) return
  const { sectionSlots, sectionCounts } = segment
  const start = segment.postingSections[posting] ?? 0
  const end = segment.postingSections[posting + 1] ?? 0
  const sectionAt = (i: number): number => sectionOf[sectionSlots[i] ?? 0] ?? 0
  let holding = 0
  for (let i = start; i < end; i++) if (i === start || sectionAt(i) !== sectionAt(i - 1)) holding += 1
  const rarity = rarityOf(holding, sections.length) / rarityOf(1, sections.length)
  const weight = worth * (ranking.k1 + 1) * (ranking.pageWideShare + (1 - ranking.pageWideShare) * rarity)
  const { base, slope } = norm(ranking.sectionInPageB, index.averages.section)
  for (let i = start; i < end;) {
    const at = sectionAt(i)
    let inBody = 0
    // All passages of a section have its headings.
    const inHeadings = Math.min(2, (sectionCounts[i] ?? 0) >> 6)
    for (; i < end && sectionAt(i) === at; i++) inBody += (sectionCounts[i] ?? 0) & 63
    const mass = ranking.headingsInPage * inHeadings + inBody / (base + slope * (lengths[at] ?? 0))
    const section = sections[at]
    if (section !== undefined) section.score += (weight * mass) / (mass + ranking.k1)
  }
}

function rarityOf(holding: number, all: number): number {
  return Math.log(1 + (all - holding + 0.5) / (holding + 0.5))
}

function sectionsOf(segment: Segment, page: number): PageSections {
  const sections: Section[] = []
  const lengths: number[] = []
  const sectionOf: number[] = []
  const end = segment.pageSections[page + 1] ?? 0
  for (let passage = segment.pageSections[page] ?? 0; passage < end; passage++) {
    const last = sections.at(-1)
    const length = segment.sectionLengths[passage] ?? 0
    if (last !== undefined && segment.sectionOpens[passage] !== 1) {
      last.end = passage + 1
      lengths[sections.length - 1] = (lengths.at(-1) ?? 0) + length
    } else {
      sections.push({ first: passage, end: passage + 1, best: passage, score: 0 })
      lengths.push(length)
    }
    sectionOf.push(sections.length - 1)
  }
  return { page, sections, lengths, sectionOf }
}
