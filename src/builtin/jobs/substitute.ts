import { escapeWord, type Change, type Found, type Left, type Rule } from '../pages/find-text.ts'
import type { FoundPlace } from '../pages/find-page.ts'
import { tooMuchMarkup, type PageText, type ReadPage } from '../../site/page-text.ts'
import type { Plan } from '../replay.ts'
import { cutLine, grep, listFiles, type Grep } from '../tools.ts'
import { changeFiles } from './change-files.ts'
import { code, describeLines, type RenamedHeading } from './outcome.ts'
import { counted } from '../../lib/text/counted.ts'

export interface Substitution {
  changed: string[]
  left: string[]
  replacements: number
  /** How many places stay, by the reason. */
  places: Map<Left, number>
  /** How many files could not be changed. */
  failures: number
  headings: RenamedHeading[]
}

type Place = Extract<FoundPlace, { ok: true }>

const mostRounds = 8
/** As many files as one turn can process within its steps; the rest is reported, for another turn. */
const mostFiles = 1200
/** Not `llms.txt`, which repeats pages for language models and is made by a program. */
const pageFile = /(?<!(?:^|\/)(?:llms|llms-full|robots)\.txt)(?<=\.(?:md|mdx|markdown|mdoc|rst|txt|adoc))$/i

const reasons: Record<Left, string> = {
  prose: 'texts that are no link targets',
  code: 'code',
  link: 'link targets and addresses',
  markup: 'front matter keys, tags, component code and comments',
  elsewhere: 'places that do not say that the number means this',
  name: 'longer names, paths or addresses',
  local: 'addresses of one’s own machine or network',
  history: 'headings, conditions, or where it may be an earlier version or a range',
  newer: 'places with a newer or a less exact version',
}

/** What to search for, what to do with a page, and how to ask for what stays. */
export interface Search {
  searches: Grep[]
  /** Returns the changes of a page, or why it stays as it is. */
  find: (page: PageText, path: string) => Found | string
  hints?: Partial<Record<Left, string>>
  /** The old and the new text are the same. */
  same?: boolean
}

/** Finds texts within a place and changes them, many files at once. */
export function* substitute(search: Search, place: Place, read: ReadPage): Plan<Substitution> {
  const result: Substitution = {
    changed: [],
    left: [],
    replacements: 0,
    places: new Map(),
    failures: 0,
    headings: [],
  }
  const byPath = new Map<string, Found>()
  const headings = new Map<string, RenamedHeading[]>()
  const others = new Set<string>()
  const seen = new Set<string>()
  const stay = new Map<string, string>()
  // A search returns a limited number of lines. Changed text is not found again, so the next search returns others.
  for (let round = 0; round < mostRounds; round++) {
    const { paths, cut } = yield* findFiles(search.searches, place, seen)
    const fresh = paths.filter((path) => !seen.has(path))
    for (const path of fresh) seen.add(path)
    const pages = fresh.filter((path) => place.files || pageFile.test(path))
    for (const path of fresh) if (!pages.includes(path)) others.add(path)
    const { done, failed } = yield* changeFiles(
      pages.slice(0, mostFiles - result.changed.length),
      (path, text) => {
        if (text.includes(cutLine) && !byPath.has(path))
          result.left.push(`${code(path)}: lines of more than 8,000 characters are not looked at`)
        const page = read(text, path)
        if (page.unread) return tooMuchMarkup
        const one = search.find(page, path)
        if (typeof one === 'string') return one
        byPath.set(path, one)
        headings.set(path, renamedHeadings(page, one.changes))
        return one.changes
      },
    )
    for (const { path, lines, count: times } of done) {
      result.headings.push(...(headings.get(path) ?? []))
      result.changed.push(`${code(path)}: ${counted(times, 'replacement')} (${describeLines(lines)})`)
      result.replacements += times
    }
    for (const { path, why } of failed) stay.set(path, why)
    if (!cut || fresh.length === 0) break
    if (result.changed.length >= mostFiles || round === mostRounds - 1) {
      result.left.push('More files may hold the text than one job changes: ask again to go on')
      break
    }
  }
  for (const { left } of byPath.values())
    for (const [why, lines] of left) result.places.set(why, (result.places.get(why) ?? 0) + lines.length)
  result.failures = stay.size
  result.left.push(...placesSaid(byPath, search.hints ?? {}), ...filesSaid(stay))
  if (others.size > 0)
    result.left.push(`${listed([...others])}: not documentation pages; name a file to change it`)
  return result
}

function renamedHeadings({ headings, text }: PageText, changes: readonly Change[]): RenamedHeading[] {
  return headings.flatMap(({ text: from, textStart }) => {
    const end = textStart + from.length
    const own = changes.filter((change) => change.start >= textStart && change.end <= end)
    const starts = [textStart, ...own.map((change) => change.end)]
    const to = starts
      .map((start, at) => text.slice(start, own[at]?.start ?? end) + (own[at]?.replace ?? ''))
      .join('')
    return own.length > 0 ? [{ from, to }] : []
  })
}

function listed(paths: readonly string[]): string {
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : ''
  return paths.slice(0, 5).map(code).join(', ') + more
}

/** One line per reason, which may hold the path itself. */
function filesSaid(stay: ReadonlyMap<string, string>): string[] {
  const all = [...stay].map(([path, why]) => ({ path, why: why.replace(`"${path}" `, '') }))
  return [...Map.groupBy(all, ({ why }) => why)].map(
    ([why, some]) => `${listed(some.map(({ path }) => path))}: ${why}`,
  )
}

function placesSaid(found: ReadonlyMap<string, Found>, hints: Partial<Record<Left, string>>): string[] {
  const places = [...found].flatMap(([path, { left }]) =>
    [...left].map(([why, lines]) => ({ path, why, lines })),
  )
  return [...Map.groupBy(places, ({ why }) => why)].map(([why, all]) => {
    const number = all.reduce((sum, { lines }) => sum + lines.length, 0)
    const where = all.length === 1 ? '' : ` in ${all.length} files`
    const first = `${all[0]?.path}:${all[0]?.lines[0]}`
    const hint = hints[why] === undefined ? '' : ` (say “${hints[why]}” to change them too)`
    return `${counted(number, 'place')}${where}, first at ${code(first)}, in ${reasons[why]}${hint}`
  })
}

/** The files that a search finds; when it finds too many, all files of the place that were not searched yet. */
function* findFiles(
  searches: readonly Grep[],
  place: Place,
  seen: ReadonlySet<string>,
): Plan<{ paths: string[]; cut: boolean }> {
  if (place.files) return { paths: place.paths ?? [], cut: false }
  const answers = yield* grep(
    searches.map((search) => (place.paths ? { ...search, paths: place.paths } : search)),
  )
  const matches = answers.flatMap((answer) => (answer.ok ? answer.value.matches : []))
  const paths = new Set(matches.map((match) => match.path))
  const cut = answers.some((answer) => answer.ok && answer.value.truncated)
  if (!cut) return { paths: [...paths].sort(), cut }
  const files = yield* listFiles({ glob: '**/*.{md,mdx,markdown}' })
  const isInside = (path: string) => place.paths?.some((folder) => path.startsWith(`${folder}/`)) ?? true
  for (const path of files.ok ? files.value : []) if (!seen.has(path) && isInside(path)) paths.add(path)
  return { paths: [...paths].sort(), cut }
}

/** Searches that find every file with the text of a rule; long lists of words are combined into few. */
export function searchesOf(rules: readonly Rule[]): Grep[] {
  const words = rules.map((rule) => rule.find)
  if (words.length <= 10 || !words.every((word) => /^[A-Za-z]+$/.test(word)))
    return rules.flatMap(searchesOfOne)
  const searches: Grep[] = []
  for (let from = 0; from < words.length; from += 60)
    searches.push({ pattern: `(${words.slice(from, from + 60).join('|')})`, regex: true, ignoreCase: true })
  return searches
}

/** Searches for the term itself and, for a term of several words, for its line breaks. */
function searchesOfOne(rule: Rule): Grep[] {
  const ignoreCase = rule.ignoreCase || rule.typo
  const searches: Grep[] = [{ pattern: rule.find, ignoreCase }]
  const words = rule.find.trim().split(/\s+/)
  if (words.length < 2 || words.length > 6) return searches
  const escaped = words.map(escapeWord)
  const ends = escaped.slice(0, -1).map((_, index) => escaped.slice(0, index + 1).join(' +'))
  searches.push({ pattern: `(${ends.join('|')})[ \t\r]*$`, regex: true, ignoreCase })
  return searches
}
