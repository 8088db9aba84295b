import { usualReader } from './nearness.ts'
import { bearsOut, isCommand, isSubject, roleOf, type Role } from './roles.ts'
import type { SearchIndex } from './search-index.ts'
import { findPath, headingsAt, labelAt, pageStringsOf, passageText } from './segment-strings.ts'
import type { Segment } from './segment.ts'
import { siteNames } from './site-names.ts'
import { scanWords, stopWords, termsOf } from './words.ts'

/** A page with which a reader begins. */
export interface EntryPage {
  part: number
  page: number
  /** From 0 to 1, which the likeliest one of its language and version has. */
  share: number
  /** Whether it is the page at the first address. */
  isHome: boolean
  /** By role, how well the page plays it, from 0 to 1, and the passage with which the section that does so begins. */
  roles: ReadonlyMap<Role, EntryRole>
}

export interface EntryRole {
  share: number
  passage: number
  /** Whether a heading of the page says so, and not its title. */
  byHeading: boolean
}

/** Of each language and version. */
const mostEntries = 12
/** Of these entries, the ones whose headings are looked at, and what one counts beside a title. */
const mostRead = 4
const headingShare = 0.6
/** How much less a page plays a role for each step that it lies deeper than the first one that does. */
const slope = 0.4
/** What lies deeper is more likely about a part of the site. */
const deepest = 2
/** What the beginning of another language than that of most pages counts, and of another version than the newest. */
const otherLabel = 0.85
/** What a page plays whose address is of another subject: "Getting started" at `/contributing`. */
const otherSubject = 0.5
/** What a page loses at most that is none of those with which the site begins. */
const unlisted = 0.15
/** Characters of a page's beginning in which it says what it is about. */
const opening = 160
/** Characters of a page that are read to see what it is about. */
const mostOfText = 20_000
/** With less text than this a home page only leads on. */
const fewestCharacters = 80

/** What makes a page one to begin with, in units of being the first one in the navigation. */
const worth = { home: 1, top: 0.4, opening: 0.8, definition: 0.6, title: 0.4, introduction: 0.8 }
/** A beginning that says what something is. */
const definition = /^\W*(?:\S+ ){1,6}(?:is|are) (?:an?|the|your) /u

const known = new WeakMap<SearchIndex, readonly EntryPage[]>()

/**
 * The pages with which a site is begun: its home page, the first ones of its navigation, of those near its top the
 * ones that begin with the name of what the site is about, and those whose titles say that they are for beginners.
 */
export function entryPages(index: SearchIndex): readonly EntryPage[] {
  const before = known.get(index)
  if (before !== undefined) return before
  const entries = findEntries(index)
  known.set(index, entries)
  return entries
}

function findEntries(index: SearchIndex): EntryPage[] {
  const names = siteNames(index)
  const groups = new Map<string, FoundPage[]>()
  const pagesIn = new Map<string, number>()
  for (const [part, { segment, deleted }] of index.parts.entries()) {
    const placeOf = placesIn(segment, index.firstPages)
    for (let page = 0; page < segment.pages; page++) {
      if (deleted[page] === 1) continue
      const place = placeOf.get(page)
      const depth = depthOf(segment, page)
      const role = roleOfPage(segment, page, depth, names)
      const [language = ''] = labelsOf(segment, page)
      pagesIn.set(language, (pagesIn.get(language) ?? 0) + 1)
      const folder = role === undefined ? folderOf(segment, page, depth, names) : undefined
      if (place === undefined && depth > 1 && role === undefined && folder === undefined) continue
      const share = shareOf(segment, page, { place, depth, role, names })
      const key = labelsOf(segment, page).join('\u001f')
      const strings = pageStringsOf(segment, page)
      const steps = depth - placesOnTheWay(strings.url, names)
      const isOther = role !== undefined && isOfOther(strings.url, names)
      const candidate = { part, page, share, depth, steps, isOther, role, place, folder, ...strings }
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [candidate])
      else group.push(candidate)
    }
  }
  const reader = usualReader(index)
  const usual = [...pagesIn].sort((a, b) => b[1] - a[1])[0]?.[0] ?? ''
  return [...groups].flatMap(([key, found]) => {
    const group = withFolders(found)
    // Of a question in nothing but names, the language of most pages is the likeliest.
    const ofLanguage = key.split('\u001f')[0] === usual ? 1 : otherLabel
    const factor = group.some((one) => reader?.isAlike(one) === false) ? ofLanguage * otherLabel : ofLanguage
    const best = group.sort((a, b) => b.share - a.share).slice(0, mostEntries)
    const most = best[0]?.share || 1
    const named = group
      .filter(({ role }) => role !== undefined && role !== 'introduction')
      .sort((a, b) => a.depth - b.depth)
      .slice(0, mostEntries)
    return [...new Set([...best, ...named])].map((found): EntryPage => {
      const share = best.includes(found) ? (factor * found.share) / most : 0
      const isRead = best.indexOf(found) >= 0 && best.indexOf(found) < mostRead
      const top = Math.min(...named.flatMap((one) => (one.role === found.role ? one.steps : [])), found.steps)
      const near =
        (factor * (found.isOther ? otherSubject : 1) * (1 - unlisted * (1 - share))) /
        (1 + slope * (found.steps - top)) /
        (1 + (slope / 2) * Math.max(0, top - deepest))
      return {
        part: found.part,
        page: found.page,
        share,
        isHome: found.steps === 0,
        roles: rolesOf(index, found, { near, names, readShare: isRead ? share : 0 }),
      }
    })
  })
}

/** The role of a page by its title, or else, near the top, by the last step of its address. */
function roleOfPage(
  segment: Segment,
  page: number,
  depth: number,
  names: ReadonlySet<string>,
): Role | undefined {
  const { title, url } = pageStringsOf(segment, page)
  if (isCommand(title, names)) return undefined
  const role = roleOf(title, names) ?? (depth > deepest ? undefined : roleOf(lastStep(url), names))
  return role !== undefined && bearsOut(role, `${title} ${lastStep(url)}`, textFrom(segment, page))
    ? role
    : undefined
}

/**
 * The folder of a page, where its name is of installation: each of its pages says how in one place. The first page of a
 * folder on how to start need not be the one to start with.
 */
function folderOf(
  segment: Segment,
  page: number,
  depth: number,
  names: ReadonlySet<string>,
): string | undefined {
  const { url } = pageStringsOf(segment, page)
  const folder = url.replace(/\/$/, '').replace(/\/[^/]*$/, '')
  if (depth < 2 || depth > deepest + 1 || roleOf(lastStep(folder), names) !== 'installation') return undefined
  return `${folder}/`
}

/** How many folders of an address are those in which a site begins: below them, a page is as near as above. */
function placesOnTheWay(url: string, names: ReadonlySet<string>): number {
  const folders = url
    .replace(/(?:\/index)?(?:\.html?)?\/?$/, '')
    .split('/')
    .slice(1, -1)
  return folders.filter((one) => {
    const role = roleOf(one.replaceAll(/[-_]/g, ' '), names)
    return role === 'start' || role === 'introduction' || !isSubject(one.replaceAll(/[-_]/g, ' '), names)
  }).length
}

/** Whether the last step of an address is of a subject of its own. */
function isOfOther(url: string, names: ReadonlySet<string>): boolean {
  const step = lastStep(url)
  return roleOf(step, names) === undefined && isSubject(step, names)
}

/** The last step of an address, as words. */
function lastStep(url: string): string {
  return url
    .replace(/(?:\/index)?(?:\.html?)?\/?$/, '')
    .replace(/^.*\//, '')
    .replaceAll('-', ' ')
}

/** Where no page of a folder on installation has that role, the first one plays it. */
function withFolders(group: readonly FoundPage[]): FoundPage[] {
  const played = group.filter(({ role }) => role === 'installation')
  const first = new Map<string, FoundPage>()
  for (const page of group) {
    const { folder } = page
    if (folder === undefined) continue
    if (played.some(({ url }) => `${url}/`.startsWith(folder))) continue
    const before = first.get(folder)
    if (before === undefined || isBefore(page, before)) first.set(folder, page)
  }
  return group.map((page) =>
    page.folder !== undefined && first.get(page.folder) === page
      ? { ...page, role: 'installation', depth: page.depth - 1 }
      : page,
  )
}

/** Whether a page stands before another one in the navigation, or, where it does not say, by its path. */
function isBefore(one: FoundPage, other: FoundPage): boolean {
  const [a, b] = [one, other].map(({ place }) => place ?? Number.POSITIVE_INFINITY)
  return a === b ? one.path < other.path : (a ?? 0) < (b ?? 0)
}

/** What a page says, with its headings, from a passage on. */
export function textFrom(segment: Segment, page: number, from = segment.pageSections[page] ?? 0): string {
  let text = ''
  const end = segment.pageSections[page + 1] ?? 0
  for (let passage = from; passage < end && text.length < mostOfText; passage++)
    text += `\n${headingsAt(segment, passage).at(-1) ?? ''}\n${passageText(segment, passage)}`
  return text
}

interface FoundPage {
  part: number
  page: number
  share: number
  depth: number
  /** The same, without the folders in which a site begins. */
  steps: number
  /** Whether its address is of something that its title does not say. */
  isOther: boolean
  role: Role | undefined
  place: number | undefined
  path: string
  url: string
  /** The folder that it is in, where that is on installation and the page has no role. */
  folder: string | undefined
}

/** The roles of a page by its title, and of a page with which the site begins by its headings too. */
function rolesOf(
  index: SearchIndex,
  { part, page, role }: FoundPage,
  { near, readShare, names }: { near: number; readShare: number; names: ReadonlySet<string> },
): Map<Role, EntryRole> {
  const roles = new Map<Role, EntryRole>()
  const segment = index.parts[part]?.segment
  if (segment === undefined) return roles
  const start = segment.pageSections[page] ?? 0
  if (role !== undefined) roles.set(role, { share: near, passage: start, byHeading: false })
  const end = readShare > 0 ? (segment.pageSections[page + 1] ?? 0) : start
  for (let passage = start; passage < end; passage++) {
    const heading = segment.sectionOpens[passage] === 1 ? headingsAt(segment, passage).at(-1) : undefined
    const named = heading === undefined ? undefined : roleOf(heading, names)
    // What a component shows is not in the text.
    const text = passageText(segment, passage)
    if (named === undefined || text.trim().length < fewestCharacters / 2 || roles.has(named)) continue
    if (bearsOut(named, heading ?? '', text))
      roles.set(named, { share: headingShare * readShare, passage, byHeading: true })
  }
  return roles
}

/** By page, how many stand before it in the navigation, of the same language and version. */
function placesIn(segment: Segment, firstPages: readonly string[]): Map<number, number> {
  const places = new Map<number, number>()
  const counts = new Map<string, number>()
  for (const path of firstPages) {
    const page = findPath(segment, path)
    if (page < 0) continue
    const key = labelsOf(segment, page).join('\u001f')
    const place = counts.get(key) ?? 0
    counts.set(key, place + 1)
    places.set(page, place)
  }
  return places
}

function labelsOf(segment: Segment, page: number): string[] {
  return [0, 1].map((column) => labelAt(segment, segment.pageLabels[page * 2 + column] ?? 0))
}

/** Steps of a page's address below the site, of which its language and version are none. */
function depthOf(segment: Segment, page: number): number {
  const labels = labelsOf(segment, page).map((label) => label.toLowerCase())
  const steps = pageStringsOf(segment, page)
    .url.replace(/\.html?$/, '')
    .split('/')
    .filter((step) => step !== '' && step !== 'index' && !labels.includes(step.toLowerCase()))
  return steps.length
}

function shareOf(
  segment: Segment,
  page: number,
  known: { place: number | undefined; depth: number; role: Role | undefined; names: ReadonlySet<string> },
): number {
  const { place, depth, role, names } = known
  const text = passageText(segment, segment.pageSections[page] ?? 0).trim()
  const { title } = pageStringsOf(segment, page)
  const isNamed = (beginning: string): boolean => names.has(firstTerm(beginning) ?? '')
  const begins = text.slice(0, opening)
  const share =
    (place === undefined ? 0 : 1 / (1 + place)) +
    (depth === 0 ? worth.home : worth.top / depth) +
    (isNamed(begins) ? worth.opening + (definition.test(begins) ? worth.definition : 0) : 0) +
    (isNamed(title.split(/[–—|:]/)[0] ?? '') ? worth.title : 0) +
    (role === 'introduction' ? worth.introduction / Math.sqrt(Math.max(1, depth)) : 0)
  return text.length < fewestCharacters ? share / 2 : share
}

/** The first word of a text that is no stop word, as a term. */
function firstTerm(text: string): string | undefined {
  let first: string | undefined
  scanWords(text, (word) => {
    const [term = ''] = termsOf(word).exact
    if (first === undefined && !stopWords.has(term)) first = term
  })
  return first
}
