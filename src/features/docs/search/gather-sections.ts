import type { QuestionRanking } from './fuse-rankings.ts'
import type { Place } from './nearness.ts'
import type { Candidate } from './rank-part.ts'
import type { Section } from './rank-sections.ts'
import { segmentOf, type SearchIndex } from './search-index.ts'
import { labelAt, pageStringsOf, passageText, sectionStringsOf } from './segment-strings.ts'
import type { Segment } from './segment.ts'

/** One section that was found. */
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
  /** Whether the section has more text than `content`. */
  isPart?: boolean
  /** In a result, from 0 to 1: the confidence in the first hit, times the share of its score. Before, as it was ranked. */
  score: number
  /** What readers would ask that this section answers, where that is written down. */
  questions?: string[]
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
  /** Whether the first page is asked for as a whole, so that its sections stay together. */
  leads?: boolean
  within?: string | undefined
  longest?: number | undefined
  questionsOf?: QuestionRanking['questionsOf']
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
  { limit, leads, within, longest = longestContent, questionsOf }: Limits,
): SectionHit[] {
  const perPage = within === undefined ? mostOfPage : limit
  const foundIn = (group: readonly Candidate[]): Found[] => {
    const [page, ...others] = group
    if (page === undefined) return []
    const score = scoreOf(group)
    const sections = sectionsOf(page).slice(0, perPage)
    const top = sections[0]?.score || 1
    const share = leads === true && group === groups[0] ? 1 : furtherShare
    return sections.map((section, rank) => ({
      page,
      others,
      section,
      score: rank === 0 ? score : (score * share * section.score) / top,
    }))
  }
  return mix(groups, foundIn, limit).map(({ page, others, section, score }) => {
    const segment = segmentOf(index, page.part)
    const { headings, anchor } = sectionStringsOf(segment, section.first)
    const start = segment.pageSections[page.page] ?? 0
    const strings = pageOf(segment, page)
    const questions = questionsOf?.(strings.path, section.first - start, section.end - start) ?? []
    return {
      ...strings,
      heading: headings.filter((heading) => heading !== '').join(' – ') || undefined,
      anchor,
      ...textOf(segment, section, longest),
      score,
      ...(questions.length > 0 && { questions }),
      ...(others.length > 0 && { alsoIn: others.map((other) => otherOf(index, other)) }),
    }
  })
}

/**
 * Puts the first sections of all pages, in their order, and the further ones into one list by their scores, so that
 * enough pages stand among the first results. Once there are enough pages, their further sections come before more pages.
 * Sections are only looked for on pages that are shown.
 */
function mix(
  groups: readonly (readonly Candidate[])[],
  foundIn: (group: readonly Candidate[]) => Found[],
  limit: number,
): Found[] {
  const mixture: Found[] = []
  const waiting: Found[] = []
  let pages = 0
  let lowest = Infinity
  while (mixture.length < limit) {
    const group = groups[pages]
    const other = waiting[0]
    const needsPage = other === undefined || (mixture.length < mixed && pages * 2 <= mixture.length)
    const isEnough = pages >= enoughPages && other !== undefined
    let next: Found | undefined
    if (group !== undefined && !isEnough && (needsPage || scoreOf(group) >= other.score)) {
      const [first, ...further] = foundIn(group)
      next = first
      waiting.push(...further)
      waiting.sort((a, b) => b.score - a.score)
      pages += 1
    } else next = waiting.shift()
    if (next === undefined) break
    lowest = Math.min(lowest, next.score)
    mixture.push({ ...next, score: lowest })
  }
  return mixture
}

function scoreOf(group: readonly Candidate[]): number {
  return Math.max(...group.map(({ score }) => score))
}

/** The text of a section, or whole passages of it around the best one that are `longest` characters together. */
function textOf(
  segment: Segment,
  { first, end, best }: Section,
  longest: number,
): Pick<SectionHit, 'content' | 'isPart'> {
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
  const isPart = from > first || to < end || text.trim().length > longest
  const content = `${headerBefore(segment, first, from, text)}${text.trim()}`.slice(0, longest)
  return { content, ...(isPart && { isPart }) }
}

const isRow = (line: string): boolean => line.includes(' | ')

/** The first row of the table in which a text begins, which stands in a passage before it. */
function headerBefore(segment: Segment, first: number, from: number, text: string): string {
  if (from === first || !isRow(text.trimStart().split('\n', 1)[0] ?? '')) return ''
  let header = ''
  for (let passage = from - 1; passage >= first; passage--) {
    const lines = passageText(segment, passage).trimEnd().split('\n')
    const before = lines.findLastIndex((line) => !isRow(line))
    header = lines[before + 1] ?? header
    if (before >= 0) break
  }
  return header === '' ? '' : `${header}\n`
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
