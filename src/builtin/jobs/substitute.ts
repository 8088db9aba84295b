import { findText, type Found, type Rule } from '../pages/find-text.ts'
import type { FoundPlace } from '../pages/find-page.ts'
import { tooMuchMarkup, type ReadPage } from '../pages/page.ts'
import type { Plan } from '../replay.ts'
import { cutLine, grep, listFiles, type Grep } from '../tools.ts'
import { changeFiles } from './change-files.ts'
import { code, count, describeLines } from './outcome.ts'

export interface Substitution {
  changed: string[]
  left: string[]
  replacements: number
}

type Place = Extract<FoundPlace, { ok: true }>

const mostRounds = 8
/** As many files as one turn can process within its steps; the rest is reported, for another turn. */
const mostFiles = 1200
const pageFile = /\.(?:md|mdx|markdown|mdoc|rst|txt|adoc)$/i

const zoneNames: Record<string, string> = {
  prose: 'prose',
  code: 'code (say “including code” to change it there too)',
  link: 'link targets and addresses (say “also in links” to change them too)',
  markup: 'front matter keys, tags, component code and comments',
  elsewhere: 'lines that do not say what the number is',
}

/** Finds texts within a place and changes them, many files at once. */
export function* substitute(rules: readonly Rule[], place: Place, read: ReadPage): Plan<Substitution> {
  const result: Substitution = { changed: [], left: [], replacements: 0 }
  const found = new Map<string, Found>()
  const others = new Set<string>()
  const seen = new Set<string>()
  // A search returns a limited number of lines. Changed text is not found again, so the next search returns others.
  for (let round = 0; round < mostRounds; round++) {
    const { paths, cut } = yield* findFiles(rules, place, seen)
    const fresh = paths.filter((path) => !seen.has(path))
    for (const path of fresh) seen.add(path)
    const pages = fresh.filter((path) => place.files || pageFile.test(path))
    for (const path of fresh) if (!pages.includes(path)) others.add(path)
    const { done, failed } = yield* changeFiles(
      pages.slice(0, mostFiles - result.changed.length),
      (path, text) => {
        if (text.includes(cutLine) && !found.has(path))
          result.left.push(`${code(path)}: lines of more than 8,000 characters are not looked at`)
        const page = read(text, path)
        if (page.unread) return tooMuchMarkup
        const one = findText(page, rules)
        found.set(path, one)
        return one.changes
      },
    )
    for (const { path, lines, count: times } of done) {
      result.changed.push(`${code(path)}: ${count(times, 'replacement')} (${describeLines(lines)})`)
      result.replacements += times
    }
    for (const { path, why } of failed) result.left.push(`${code(path)}: ${why}`)
    if (!cut || fresh.length === 0) break
    if (result.changed.length >= mostFiles || round === mostRounds - 1) {
      result.left.push('More files may hold the text than one job changes: ask again to go on')
      break
    }
  }
  result.left.push(...leftSaid(found))
  if (others.size > 0) {
    const listed = [...others].slice(0, 5).map(code).join(', ')
    const more = others.size > 5 ? ` and ${others.size - 5} more` : ''
    result.left.push(`${listed}${more}: not documentation pages; name a file to change it`)
  }
  return result
}

function leftSaid(found: ReadonlyMap<string, Found>): string[] {
  const places = [...found].flatMap(([path, { left }]) =>
    [...left].map(([zone, lines]) => ({ path, zone, lines })),
  )
  return [...Map.groupBy(places, ({ zone }) => zone)].map(([zone, all]) => {
    const number = all.reduce((sum, { lines }) => sum + lines.length, 0)
    const where = all.length === 1 ? '' : ` in ${all.length} files`
    const first = `${all[0]?.path}:${all[0]?.lines[0]}`
    return `${count(number, 'place')}${where}, first at ${code(first)}, in ${zoneNames[zone]}`
  })
}

/** The files that a search finds; when it finds too many, all files of the place that were not searched yet. */
function* findFiles(
  rules: readonly Rule[],
  place: Place,
  seen: ReadonlySet<string>,
): Plan<{ paths: string[]; cut: boolean }> {
  if (place.files) return { paths: place.paths ?? [], cut: false }
  const answers = yield* grep(searchesOfAll(rules, place.paths))
  const found = answers.flatMap((answer) => (answer.ok ? answer.value.matches : []))
  const paths = new Set(found.map((match) => match.path))
  const cut = answers.some((answer) => answer.ok && answer.value.truncated)
  if (!cut) return { paths: [...paths].sort(), cut }
  const files = yield* listFiles({ glob: '**/*.{md,mdx,markdown}' })
  const isInside = (path: string) => place.paths?.some((folder) => path.startsWith(`${folder}/`)) ?? true
  for (const path of files.ok ? files.value : []) if (!seen.has(path) && isInside(path)) paths.add(path)
  return { paths: [...paths].sort(), cut }
}

/** Combines long lists of words into few searches. */
function searchesOfAll(rules: readonly Rule[], paths: string[] | undefined): Grep[] {
  const words = rules.map((rule) => rule.find)
  if (words.length <= 10 || !words.every((word) => /^[A-Za-z]+$/.test(word)))
    return rules.flatMap((rule) => searchesOf(rule, paths))
  const searches: Grep[] = []
  for (let from = 0; from < words.length; from += 60) {
    const pattern = `(${words.slice(from, from + 60).join('|')})`
    searches.push({ pattern, regex: true, ignoreCase: true, ...(paths ? { paths } : {}) })
  }
  return searches
}

/** Searches for the term itself and, for a term of several words, for its line breaks. */
function searchesOf(rule: Rule, paths: string[] | undefined): Grep[] {
  const base = { ignoreCase: rule.ignoreCase || rule.typo, ...(paths ? { paths } : {}) }
  const searches: Grep[] = [{ pattern: rule.find, ...base }]
  const words = rule.find.trim().split(/\s+/)
  if (words.length < 2 || words.length > 6) return searches
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const ends = escaped.slice(0, -1).map((_, index) => escaped.slice(0, index + 1).join(' +'))
  searches.push({ pattern: `(${ends.join('|')})[ \t\r]*$`, regex: true, ...base })
  return searches
}
