import type { Place } from './nearness.ts'
import type { Candidate } from './rank-part.ts'
import { segmentOf, type SearchIndex } from './search-index.ts'
import { labelAt, pageStringsOf, passageText, sectionStringsOf } from './segment-strings.ts'
import type { Segment } from './segment.ts'

/** One section that was found. Scores can only be compared within one result. */
export interface SectionHit {
  /** File path in the repository. */
  path: string
  /** Path on the site without origin. */
  url: string
  title: string
  language: string | undefined
  version: string | undefined
  /** The headings down to the section, joined by ` – `; undefined for a page's beginning. */
  heading: string | undefined
  anchor: string | undefined
  /** The whole text of the section, unless it is longer than what was asked for. */
  content: string
  score: number
  /** Pages that say nearly the same: other versions, copies. */
  alsoIn?: OtherPage[]
}

interface OtherPage {
  url: string
  title: string
  language: string | undefined
  version: string | undefined
}

interface Limits {
  limit: number
  within?: string | undefined
  longest?: number | undefined
}

const mostOfPage = 3
/** Among the first results of this number, at least every second one is the first of its page. */
const mixed = 8
/** What a further section of a page counts beside the first sections of the pages after it. */
const furtherShare = 0.8
const longestContent = 20_000

/** The sections to show of pages in groups of near-equal ones: of each group only its first page. */
export function gatherSections(
  index: SearchIndex,
  groups: readonly (readonly Candidate[])[],
  { limit, within, longest = longestContent }: Limits,
): SectionHit[] {
  const perPage = within === undefined ? mostOfPage : limit
  const found = groups.slice(0, limit).flatMap((group) => {
    const [page, ...others] = group
    if (page === undefined) return []
    const segment = segmentOf(index, page.part)
    const score = Math.max(...group.map((one) => one.score))
    const sections = sectionsOf(segment, page).slice(0, perPage)
    const top = sections[0]?.score ?? 0
    return sections.map((section, rank) => ({
      page,
      others,
      section,
      rank,
      score: rank === 0 || top === 0 ? score : (score * furtherShare * section.score) / top,
    }))
  })
  // Sorting is stable, so that of equal scores the better page comes first.
  return mix(found.sort((a, b) => b.score - a.score))
    .slice(0, limit)
    .map(({ page, others, section, score }) => {
      const segment = segmentOf(index, page.part)
      const { headings, anchor } = sectionStringsOf(segment, section.first)
      return {
        ...pageOf(segment, page),
        heading: headings.length === 0 ? undefined : headings.join(' – '),
        anchor,
        content: textOf(segment, section, longest),
        score,
        ...(others.length > 0 && { alsoIn: others.map((other) => otherOf(index, other)) }),
      }
    })
}

/** Moves further sections of pages down so far that enough pages stand among the first results. */
function mix<Found extends { rank: number; score: number }>(sorted: readonly Found[]): Found[] {
  const firsts = sorted.filter(({ rank }) => rank === 0)
  const further = sorted.filter(({ rank }) => rank > 0)
  const mixture: Found[] = []
  let pages = 0
  let lowest = Infinity
  for (const _ of sorted) {
    const [first, other] = [firsts[pages], further[mixture.length - pages]]
    const needsPage = mixture.length < mixed && pages * 2 <= mixture.length
    const next =
      first !== undefined && (other === undefined || needsPage || first.score >= other.score) ? first : other
    if (next === undefined) break
    if (next === first) pages += 1
    lowest = Math.min(lowest, next.score)
    mixture.push({ ...next, score: lowest })
  }
  return mixture
}

/** A section of a page: its passages from `first` to before `end`, and the best of them. */
interface Section {
  first: number
  end: number
  best: number
  score: number
}

/** The sections of a page that match, best first. */
function sectionsOf(segment: Segment, { page, sections: passages }: Candidate): Section[] {
  const found: Section[] = []
  for (const { section: best, score } of passages) {
    if (found.some(({ first, end }) => first <= best && best < end)) continue
    let first = best
    while (first > (segment.pageSections[page] ?? 0) && segment.sectionOpens[first] !== 1) first -= 1
    let end = best + 1
    while (end < (segment.pageSections[page + 1] ?? 0) && segment.sectionOpens[end] !== 1) end += 1
    found.push({ first, end, best, score })
  }
  return found
}

/** The text of a section, or whole passages of it around the best one that are `longest` characters together. */
function textOf(segment: Segment, { first, end, best }: Section, longest: number): string {
  let text = passageText(segment, best)
  let [from, to] = [best, best + 1]
  for (let next = to; next < end; next++) {
    const piece = passageText(segment, next)
    if (text.length + piece.length > longest) break
    text += piece
    to = next + 1
  }
  while (from > first) {
    const piece = passageText(segment, from - 1)
    if (text.length + piece.length > longest) break
    text = piece + text
    from -= 1
  }
  return text.trim().slice(0, longest)
}

function otherOf(index: SearchIndex, place: Place): OtherPage {
  const { url, title, language, version } = pageOf(segmentOf(index, place.part), place)
  return { url, title, language, version }
}

function pageOf(segment: Segment, { page }: Place): OtherPage & { path: string } {
  const [language, version] = [0, 1].map((column) => {
    const label = labelAt(segment, segment.pageLabels[page * 2 + column] ?? 0)
    return label === '' ? undefined : label
  })
  return { ...pageStringsOf(segment, page), language, version }
}
