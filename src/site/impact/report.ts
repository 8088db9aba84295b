import type { Assessment, AssessedPage } from './assess.ts'
import {
  impactLevels,
  type ImpactFinding,
  type ImpactPage,
  type ImpactReport,
  type NamedChange,
  type NamePlace,
} from './findings.ts'
import type { PagePlace } from './page-places.ts'
import { keyOf } from './terms.ts'
import { fateWords, whyOf } from './why.ts'
import { bestPlaces, placeWeights, type TermScore } from './score-pages.ts'

const mostPages = 40
const mostFindings = 5
const mostPlaces = 4
const mostNames = 60

/** From what score of its best page on a change probably touches pages, and which others it touches then. */
const likelyScore = 3.6
const shareOfBest = 0.4
const mostLikely = 5
/** A name that scores less is too common to be evidence; one of a single word has to say three times as much. */
const tellingScore = 0.1
/** A name that more pages have, as code or in headings, is changed in a place that says nothing of each. */
const mostCertainPages = 6

/** What a ranking comes to, for people. */
export function reportOf({ pages, scores, inCode, isWhole, unnamed }: Assessment): ImpactReport {
  const named = new Map<number, NamedChange>()
  for (const [term, score] of scores) {
    const change = namedChange(score, inCode)
    if (change !== undefined) named.set(term, change)
  }
  const goneFor = certainPages(pages, named, isWhole)
  const undocumented = unnamed
    .flatMap((changed) => namedChange({ changed, score: 0 }, inCode, 0) ?? [])
    .slice(0, mostNames)
  const byName = new Map(Array.from(named.values(), (one) => [one.name, one]))
  const best = pages.find(({ isGenerated }) => !isGenerated)?.score ?? 0
  const least = best >= likelyScore ? best * shareOfBest : Infinity
  let likely = 0
  const levelled = pages.slice(0, mostPages).map((page): ImpactPage => {
    const gone = goneFor.get(page.path)
    const isLikely = gone === undefined && !page.isGenerated && page.score >= least && likely < mostLikely
    if (isLikely) likely++
    const findings = findingsOf(page, scores, named, gone)
    return {
      path: page.path,
      level: gone !== undefined ? 'certain' : isLikely ? 'likely' : 'look',
      score: Math.round(page.score * 1000) / 1000,
      why: whyOf(page, findings, { named: byName, isNear: isNearby(page, scores), added: undocumented }),
      findings,
      isGenerated: page.isGenerated,
      together: page.features.together.count,
    }
  })
  const order = ({ level }: ImpactPage): number => impactLevels.indexOf(level)
  return {
    pages: levelled.toSorted((one, other) => order(one) - order(other)),
    names: [...named.values()].slice(0, mostNames),
    undocumented,
    isPartial: !isWhole,
  }
}

/** Plain words and what only stands beside a change are no evidence. */
function namedChange(
  { changed, score }: TermScore,
  inCode: Uint32Array,
  least = tellingScore,
): NamedChange | undefined {
  const { name, term, fate, kind, became, before, after } = changed
  if (kind !== 'name' || fate === 'near' || score < least * (keyOf(name).includes(' ') ? 1 : 3))
    return undefined
  const isGone = (fate === 'removed' || fate === 'renamed') && (inCode[term] ?? 0) === 0
  return {
    name,
    fate,
    isGone,
    words: fateWords({ fate, isGone, became }),
    ...(became !== undefined && { became }),
    ...(before && { before }),
    ...(after && { after }),
  }
}

/** Whether a page has names that stand beside what changed. */
function isNearby({ read }: AssessedPage, scores: ReadonlyMap<number, TermScore>): boolean {
  return read.places.some(({ term, kind }) => {
    const { changed } = scores.get(term) ?? {}
    return changed?.fate === 'near' && changed.kind === 'name' && kind !== 'text'
  })
}

/** By page, the names that it has as code or in a heading and that are gone from the code. */
function certainPages(
  pages: readonly AssessedPage[],
  named: ReadonlyMap<number, NamedChange>,
  isWhole: boolean,
): Map<string, Set<number>> {
  const byTerm = new Map<number, string[]>()
  for (const { path, read, isGenerated } of isWhole ? pages : []) {
    if (isGenerated) continue
    for (const [term, place] of bestPlaces(read.places))
      if (isEvidence(place, named.get(term)) && named.get(term)?.isGone === true && place.kind !== 'text')
        byTerm.set(term, [...(byTerm.get(term) ?? []), path])
  }
  const byPage = new Map<string, Set<number>>()
  for (const [term, paths] of byTerm)
    if (paths.length <= mostCertainPages)
      for (const path of paths) byPage.set(path, (byPage.get(path) ?? new Set()).add(term))
  return byPage
}

function findingsOf(
  { read: { sections, places } }: AssessedPage,
  scores: ReadonlyMap<number, TermScore>,
  named: ReadonlyMap<number, NamedChange>,
  gone: ReadonlySet<number> | undefined,
): ImpactFinding[] {
  const bySection = Map.groupBy(places, ({ section }) => section)
  const weighed = Array.from(bySection, ([section, all]) => {
    const best = bestPlaces(all)
    let score = 0
    for (const [term, { kind }] of best) score += (scores.get(term)?.score ?? 0) * placeWeights[kind]
    return {
      section,
      score,
      best,
      isCertain: [...best.values()].some(({ term, kind }) => kind !== 'text' && gone?.has(term)),
    }
  })
  return weighed
    .toSorted((one, other) => Number(other.isCertain) - Number(one.isCertain) || other.score - one.score)
    .slice(0, mostFindings)
    .flatMap(({ section, best, isCertain }) => {
      const one = sections[section]
      if (one === undefined) return []
      return [
        {
          heading: one.heading,
          lines: [one.line, one.end],
          places: shownPlaces(best, scores, named),
          isCertain,
        },
      ]
    })
}

function shownPlaces(
  best: ReadonlyMap<number, PagePlace>,
  scores: ReadonlyMap<number, TermScore>,
  named: ReadonlyMap<number, NamedChange>,
): NamePlace[] {
  const weightOf = ({ term, kind }: PagePlace): number => (scores.get(term)?.score ?? 0) * placeWeights[kind]
  return [...best.values()]
    .filter((place) => isEvidence(place, named.get(place.term)))
    .toSorted((one, other) => weightOf(other) - weightOf(one))
    .slice(0, mostPlaces)
    .map(({ term, line, kind, text }) => ({
      name: named.get(term)?.name ?? '',
      line,
      kind,
      text: text.toWellFormed(),
    }))
}

/** A name of one word is only meant where it is spelled so: prose is full of such words. */
function isEvidence({ isWhole, kind, name }: PagePlace, change: NamedChange | undefined): boolean {
  if (!isWhole || change === undefined) return false
  return keyOf(change.name).includes(' ') || (kind !== 'text' && bare(name) === bare(change.name))
}

function bare(name: string): string {
  return name.replace(/^-+/, '')
}
