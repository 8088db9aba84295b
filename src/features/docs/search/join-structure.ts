import type { Coverage } from './coverage.ts'
import { definitionIn, type Definition } from './definitions.ts'
import { entryPages, textFrom, type EntryPage, type EntryRole } from './entry-pages.ts'
import { floorOf, keyOf, sectionAround, type RankedPages } from './join-vectors.ts'
import type { NamedPage } from './named-pages.ts'
import { idfOfTerm, unknownIdf } from './query.ts'
import type { Ranking } from './ranking.ts'
import type { Section } from './rank-sections.ts'
import { bearsOut, type Role } from './roles.ts'
import { segmentOf, type SearchIndex } from './search-index.ts'
import type { Segment } from './segment.ts'
import { headingsAt, passageText, sectionStringsOf, titleAt } from './segment-strings.ts'

/** A page that says how to start, and plays this less, is about a part of the site. */
const leastNear = 0.65
const mostInOrder = 8
/** With less, the page at the first address is none of those with which the site begins. */
const leastHome = 0.5
/** With less, a page on installation is about installing a part. */
const leastInstall = 0.4
/** Where a page is called so that plays its role as well as this, headings of others count half. */
const leastTitled = 0.6
/** What a page on installation counts for one who wants to start. */
const installing = 0.7
/** Pages by words of which the text is read to see whether it says what the product is. */
const mostRead = 20
/** What a page counts with which the site begins and that does not say it, where others do. */
const withoutDefinition = 0.6
/** What a section counts that is called what the product is, and says so, wherever it stands. */
const called = 0.85

/**
 * Moves pages by what they are to the question, whatever their words: up where the title is the question, and, the more
 * general the question, where the site begins. Who asks what the product is finds the page that introduces it, although
 * every page names it. `leads` says whether the first page is there for what it is: it answers without the question's words.
 */
export function joinStructure(
  index: SearchIndex,
  { ranked, sectionsOf }: RankedPages,
  {
    coverage,
    ranking,
    allowed,
    named,
  }: {
    coverage: Coverage
    ranking: Ranking
    allowed: (part: number, page: number) => boolean
    /** Pages whose addresses stand in the question. */
    named: readonly NamedPage[]
  },
): RankedPages & { leads: boolean } {
  if (ranked.length === 0 && named.length === 0) return { ranked, sectionsOf, leads: false }
  const titleOf = ({ part, page }: { part: number; page: number }): string =>
    titleAt(segmentOf(index, part), page)
  const floor = floorOf(ranked)
  const way = (ranked[0]?.score ?? 1) - floor || ranked[0]?.score || 1
  const general = generalityOf(index, coverage, ranking)
  const entries = new Map(
    general === 0 && coverage.role === undefined
      ? []
      : entryPages(index)
          .filter(({ part, page }) => allowed(part, page))
          .map((entry) => [keyOf(entry), entry] as const),
  )
  const ranks = new Set(ranked.map(keyOf))
  const anchors = new Map(
    named.filter(({ part, page }) => allowed(part, page)).map((one) => [keyOf(one), one] as const),
  )
  // A page without any word of the question is found where the question has no words but the product's name.
  const bestOf = (one: Role) =>
    Math.max(0, ...[...entries.values()].map(({ roles }) => roles.get(one)?.share ?? 0))
  const role =
    coverage.role === 'installation' && bestOf('installation') < leastInstall ? 'start' : coverage.role
  const isTitled = [...entries.values()].some(({ roles }) => {
    const one = role && roles.get(role)
    return one !== undefined && !one.byHeading && one.share >= leastTitled
  })
  const introductionShare = bestOf('start') < leastNear ? 0.9 : 0.5
  const isBegun =
    bestOf('start') > 0 || bestOf('introduction') > 0 || [...entries.values()].some(({ isHome }) => isHome)
  const plays = (page: { part: number; page: number }) =>
    playedBy(entries.get(keyOf(page)), role, {
      introductionShare,
      isTitled,
      isBegun,
      start: startOf(index, page),
    })
  const begun = [...entries.values()].filter((entry) => coverage.isAboutSite || plays(entry) !== undefined)
  const definitions = coverage.isAboutSite
    ? definitionsIn(index, coverage.names, [...ranked.slice(0, mostRead), ...entries.values()])
    : new Map<string, Definition>()
  const further = [...anchors.values(), ...begun]
  const missing = [
    ...new Map(further.map(({ part, page }) => [keyOf({ part, page }), { part, page }])).values(),
  ]
    .filter((place) => !ranks.has(keyOf(place)))
    .map((place) => ({ ...place, score: floor, sections: [] }))
  const moved = [...ranked, ...missing].map((page) => {
    const share = entries.get(keyOf(page))?.share ?? 0
    const begins = general * introducedBy(share, definitions, keyOf(page))
    const same = coverage.role === undefined && coverage.isSame(titleOf(page)) ? ranking.sameTitle : 0
    const played = coverage.isAboutSite ? 0 : ranking.role * (plays(page)?.share ?? 0)
    const address = anchors.has(keyOf(page)) ? ranking.namedPage : 0
    return { ...page, score: page.score + way * (begins + same + played + address) }
  })
  moved.sort((a, b) => b.score - a.score)
  const [first] = moved
  /** Whether a page is what is asked for. One that only stands in for another has to say what that would. */
  const isMeant = (page: { part: number; page: number }): boolean => {
    if (coverage.isAboutSite) return entries.has(keyOf(page)) || definitions.get(keyOf(page))?.share === 1
    if (!entries.has(keyOf(page))) return false
    const played = plays(page)
    if (played === undefined || coverage.role === undefined) return false
    const text = textFrom(segmentOf(index, page.part), page.page, played.passage)
    return coverage.role === role || bearsOut(coverage.role, '', text)
  }
  return {
    ranked: moved,
    leads: first !== undefined && isMeant(first),
    sectionsOf(page) {
      const sections = sectionsOf(page)
      const anchor = anchors.get(keyOf(page))?.anchor
      if (anchor !== undefined) return withFirst(sections, sectionWith(index, page, anchor))
      const isWhole = coverage.isAboutSite ? entries.has(keyOf(page)) : coverage.isSame(titleOf(page))
      const segment = segmentOf(index, page.part)
      const played = coverage.isAboutSite ? undefined : plays(page)
      // A page that only stands in for one of the role may have a section of it, which its words find.
      const standsIn = role !== coverage.role && (sections[0]?.first ?? 0) > (played?.passage ?? 0)
      if (played !== undefined && role !== coverage.role) {
        const own = sectionNamed(segment, page.page, coverage)
        if (own !== undefined)
          return inOrderFrom(segment, page.page, own.first, {
            score: sections[0]?.score ?? 1,
            isNamed: () => false,
          })
      }
      if (played !== undefined && !standsIn)
        return inOrderFrom(segment, page.page, played.passage, {
          score: sections[0]?.score ?? 1,
          isNamed: (heading) => coverage.roleOf(heading) === coverage.role,
        })
      const definition = definitions.get(keyOf(page))
      if (definition !== undefined)
        return withFirst(sections, sectionAround(segment, page.page, definition.passage))
      const named = sections.find(({ first }) => {
        const heading = headingsAt(segment, first).at(-1)
        return heading !== undefined && coverage.isSame(heading)
      })
      if (named !== undefined) return withFirst(sections, named)
      if (!isWhole) return sections
      const start = segment.pageSections[page.page] ?? 0
      if (coverage.isAboutSite)
        return inOrderFrom(segment, page.page, start, { score: sections[0]?.score ?? 1, isNamed: undefined })
      return withFirst(sections, sectionAround(segment, page.page, start))
    },
  }
}

function definitionsIn(
  index: SearchIndex,
  names: ReadonlySet<string>,
  pages: readonly { part: number; page: number }[],
): Map<string, Definition> {
  if (names.size === 0) return new Map()
  return new Map(
    pages.flatMap((place) => {
      const definition = definitionIn(segmentOf(index, place.part), place.page, names)
      return definition === undefined ? [] : [[keyOf(place), definition] as const]
    }),
  )
}

/** How well a page introduces the product: the pages with which the site begins do, the better if they say what it is. */
function introducedBy(share: number, definitions: ReadonlyMap<string, Definition>, key: string): number {
  if (definitions.size === 0) return share ** 2
  const defines = definitions.get(key)?.share ?? 0
  const begins = share ** 2 * (withoutDefinition + (1 - withoutDefinition) * defines)
  return defines < 1 ? begins : Math.max(begins, called)
}

/**
 * How well a page plays a role. Who wants to start is helped by an introduction, and who wants to install something, by how
 * to start, where that is said nowhere else.
 */
function playedBy(
  entry: EntryPage | undefined,
  role: Role | undefined,
  {
    introductionShare,
    isTitled,
    isBegun,
    start,
  }: {
    introductionShare: number
    /** Whether a page is called what is asked for. */
    isTitled: boolean
    /** Whether some page introduces the product or says how to start. */
    isBegun: boolean
    /** The first passage of the page. */
    start: number
  },
): EntryRole | undefined {
  if (entry === undefined || role === undefined) return undefined
  const own = entry.roles.get(role)
  const home =
    entry.isHome && entry.share > leastHome ? { share: 1, passage: start, byHeading: false } : undefined
  const introduces =
    role === 'start' && entry.share > 0 ? (entry.roles.get('introduction') ?? home) : undefined
  const installs = role === 'start' ? entry.roles.get('installation') : undefined
  const played = [
    own && (own.byHeading && isTitled ? { ...own, share: own.share / 2 } : own),
    introduces && { ...introduces, share: introductionShare * entry.share },
    installs && { ...installs, share: (isBegun ? installing : 1) * installs.share },
  ].filter((one) => one !== undefined)
  return played.toSorted((a, b) => b.share - a.share)[0]
}

function startOf(index: SearchIndex, { part, page }: { part: number; page: number }): number {
  return segmentOf(index, part).pageSections[page] ?? 0
}

/** The sections of a page from a passage on, as they are read: the words of such a question do not tell them apart. */
function inOrderFrom(
  segment: Segment,
  page: number,
  passage: number,
  { score, isNamed }: { score: number; isNamed: ((heading: string) => boolean) | undefined },
): Section[] {
  const sections: Omit<Section, 'score'>[] = []
  const end = segment.pageSections[page + 1] ?? 0
  for (let at = passage; at < end && sections.length < mostInOrder; at = sections.at(-1)?.end ?? end)
    sections.push(sectionAround(segment, page, at))
  const [first, ...others] = sections
  // Of those that show how, the first that is called what was asked, or the first, comes right behind the beginning: few sections of a page are shown.
  const ways =
    isNamed === undefined
      ? []
      : others.filter((one) => /^(?:`{3}|~{3}|1\. )/m.test(passageText(segment, one.first)))
  const shows = ways.find((one) => isNamed?.(headingsAt(segment, one.first).at(-1) ?? '')) ?? ways[0]
  return [first, shows, ...others.filter((one) => one !== shows)]
    .filter((one) => one !== undefined)
    .map((one, at) => ({ ...one, score: score * (1 - at / (2 * mostInOrder)) }))
}

/** The section of a page that plays a role that the page does not. */
function sectionNamed(
  segment: Segment,
  page: number,
  coverage: Coverage,
): Omit<Section, 'score'> | undefined {
  const end = segment.pageSections[page + 1] ?? 0
  for (let passage = segment.pageSections[page] ?? 0; passage < end; passage++) {
    const heading = segment.sectionOpens[passage] === 1 ? headingsAt(segment, passage).at(-1) : undefined
    if (heading !== undefined && coverage.roleOf(heading) === coverage.role)
      return sectionAround(segment, page, passage)
  }
  return undefined
}

/** The sections with one of them first, which need not have been among them. */
function withFirst(sections: readonly Section[], first: Omit<Section, 'score'> | undefined): Section[] {
  if (first === undefined) return [...sections]
  const others = sections.filter((section) => section.first !== first.first)
  const known = sections.find((section) => section.first === first.first)
  return [{ ...first, ...known, score: Math.max(known?.score ?? 0, others[0]?.score ?? 1) }, ...others]
}

function sectionWith(
  index: SearchIndex,
  { part, page }: { part: number; page: number },
  anchor: string,
): Omit<Section, 'score'> | undefined {
  const segment = segmentOf(index, part)
  const end = segment.pageSections[page + 1] ?? 0
  for (let section = segment.pageSections[page] ?? 0; section < end; section++)
    if (sectionStringsOf(segment, section).anchor === anchor) return sectionAround(segment, page, section)
  return undefined
}

/** From 0 for a question about something to 1 for one that only names the product; "Getting started" lies between. */
function generalityOf(
  index: SearchIndex,
  { subject, isAboutSite, role }: Coverage,
  ranking: Ranking,
): number {
  if (isAboutSite) return ranking.introducing
  if (role === 'introduction') return ranking.beginning / 2
  const [term, ...others] = subject
  if (term === undefined || others.length > 0) return 0
  const specific = (idfOfTerm(index, term) || unknownIdf(index)) / unknownIdf(index) / ranking.specific
  return (ranking.beginning / 2) * Math.max(0, 1 - specific)
}
