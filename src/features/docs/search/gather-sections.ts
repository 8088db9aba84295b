import type { Place } from './nearness.ts'
import type { Candidate } from './rank-part.ts'
import type { Section } from './rank-sections.ts'
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
const enoughPages = 10
const longestContent = 20_000

interface Found {
  page: Candidate
  /** Pages that say nearly the same. */
  others: readonly Candidate[]
  section: Section
  score: number
}

/** The sections to show of pages in groups of near-equal ones, best first: of each group only its first page. */
export function gatherSections(
  index: SearchIndex,
  groups: readonly (readonly Candidate[])[],
  sectionsOf: (page: Candidate) => Section[],
  furtherShare: number,
  { limit, within, longest = longestContent }: Limits,
): SectionHit[] {
  const perPage = within === undefined ? mostOfPage : limit
  const firsts: Found[] = []
  const further: Found[][] = []
  for (const group of groups.slice(0, limit)) {
    const [page, ...others] = group
    if (page === undefined) continue
    const score = Math.max(...group.map((one) => one.score))
    const [best, ...rest] = sectionsOf(page).slice(0, perPage)
    if (best === undefined) continue
    firsts.push({ page, others, section: best, score })
    further.push(
      rest.map((section) => ({
        page,
        others,
        section,
        score: best.score === 0 ? 0 : (score * furtherShare * section.score) / best.score,
      })),
    )
  }
  return mix(firsts, further, limit).map(({ page, others, section, score }) => {
    const segment = segmentOf(index, page.part)
    const { headings, anchor } = sectionStringsOf(segment, section.first)
    return {
      ...pageOf(segment, page),
      heading: headings.filter((heading) => heading !== '').join(' – ') || undefined,
      anchor,
      content: textOf(segment, section, longest),
      score,
      ...(others.length > 0 && { alsoIn: others.map((other) => otherOf(index, other)) }),
    }
  })
}

/**
 * Puts the first sections of all pages, in their order, and the further ones into one list by their scores, so that
 * enough pages stand among the first results. Once there are enough pages, their further sections come before more pages.
 */
function mix(firsts: readonly Found[], further: readonly Found[][], limit: number): Found[] {
  const mixture: Found[] = []
  const waiting: Found[] = []
  let pages = 0
  let lowest = Infinity
  while (mixture.length < limit) {
    const first = firsts[pages]
    const other = waiting[0]
    const needsPage = other === undefined || (mixture.length < mixed && pages * 2 <= mixture.length)
    const isEnough = pages >= enoughPages && other !== undefined
    const takesFirst = first !== undefined && !isEnough && (needsPage || first.score >= other.score)
    const next = takesFirst ? first : waiting.shift()
    if (next === undefined) break
    if (takesFirst) {
      waiting.push(...(further[pages] ?? []))
      waiting.sort((a, b) => b.score - a.score)
      pages += 1
    }
    lowest = Math.min(lowest, next.score)
    mixture.push({ ...next, score: lowest })
  }
  return mixture
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
