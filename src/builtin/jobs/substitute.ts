import type { Zone } from '../pages/document.ts'
import { findText, type Found, type Rule } from '../pages/find-text.ts'
import { lineEdits } from '../pages/line-edits.ts'
import type { Place } from '../pages/resolve-scope.ts'
import type { Plan } from '../replay.ts'
import type { Grep } from '../tools.ts'
import { cutLine, editFiles, grep, listFiles, readFiles } from '../tools.ts'
import { code, count, linesSaid } from './outcome.ts'

export interface Substitution {
  changed: string[]
  left: string[]
  replacements: number
  files: number
}

/** Pages that are read and edited together; a bound on how much text one stretch of work holds. */
const batch = 40
const mostRounds = 8
/** What one turn can do well within its steps; the rest is said, for another turn. */
const mostFiles = 1200
const pageFile = /\.(?:md|mdx|markdown|mdoc|rst|txt|adoc)$/i

/** Finds texts in a place and changes them, file by file, many files at once. */
export function* substitute(rules: readonly Rule[], place: Extract<Place, { ok: true }>): Plan<Substitution> {
  const result: Substitution = { changed: [], left: [], replacements: 0, files: 0 }
  const skipped = new Map<Zone, { files: Set<string>; lines: number; first: string }>()
  const others = new Set<string>()
  const seen = new Set<string>()
  // A search shows so many lines at once. What is changed is found no more, so the next one shows others.
  for (let round = 0; round < mostRounds; round++) {
    const { paths, cut } = yield* findFiles(rules, place, seen)
    const fresh = paths.filter((path) => !seen.has(path))
    for (const path of fresh) seen.add(path)
    const pages = fresh.filter((path) => place.files || pageFile.test(path))
    for (const path of fresh) if (!pages.includes(path)) others.add(path)
    for (let from = 0; from < pages.length && result.files < mostFiles; from += batch) {
      yield* changeFiles(pages.slice(from, from + batch), rules, result, (path, found) => {
        for (const [zone, lines] of found.left) {
          const known = skipped.get(zone) ?? {
            files: new Set<string>(),
            lines: 0,
            first: `${path}:${lines[0]}`,
          }
          known.files.add(path)
          known.lines += lines.length
          skipped.set(zone, known)
        }
      })
    }
    if (!cut || fresh.length === 0) break
    if (result.files >= mostFiles || round === mostRounds - 1) {
      result.left.push('More files may hold the text than one job changes: ask again to go on')
      break
    }
  }
  for (const [zone, known] of skipped) {
    const where = known.files.size === 1 ? '' : ` in ${known.files.size} files`
    result.left.push(
      `${count(known.lines, 'place')} in ${zoneNames[zone]}${where}, first at ${code(known.first)}`,
    )
  }
  if (others.size > 0) {
    const listed = [...others].slice(0, 5).map(code).join(', ')
    const more = others.size > 5 ? ` and ${others.size - 5} more` : ''
    result.left.push(`${listed}${more}: not documentation pages; name a file to change it`)
  }
  return result
}

const zoneNames: Record<Zone, string> = {
  prose: 'prose',
  code: 'code',
  link: 'link targets and addresses',
  markup: 'front matter keys, tags and comments',
}

/** Reads, changes and, when a file changed meanwhile, reads again once. */
function* changeFiles(
  paths: string[],
  rules: readonly Rule[],
  result: Substitution,
  onFound: (path: string, found: Found) => void,
): Plan<void> {
  let open = paths
  for (let attempt = 0; attempt < 2 && open.length > 0; attempt++) {
    const texts = yield* readFiles(open)
    const work: {
      path: string
      found: Found
      lines: number[]
      edits: ReturnType<typeof lineEdits>['edits']
    }[] = []
    for (const [path, text] of texts) {
      if (!text.ok) {
        result.left.push(`${code(path)}: ${text.message}`)
        continue
      }
      const found = findText(text.value, path, rules)
      if (attempt === 0) onFound(path, found)
      if (attempt === 0 && text.value.includes(cutLine)) {
        result.left.push(`${code(path)}: lines of more than 8,000 characters are not looked at`)
      }
      const { edits, lines } = lineEdits(text.value, found.changes)
      if (edits.length > 0) work.push({ path, found, edits, lines })
    }
    const answers = yield* editFiles(work.map(({ path, edits }) => ({ path, edits })))
    const again: string[] = []
    work.forEach(({ path, found, lines }, index) => {
      const answer = answers[index]
      if (answer?.ok) {
        const times = found.changes.length
        result.changed.push(`${code(path)}: ${count(times, 'replacement')} (${linesSaid(lines)})`)
        result.replacements += times
        result.files += 1
      } else if (answer && attempt === 0 && isRepeatable(answer.code)) again.push(path)
      else result.left.push(`${code(path)}: ${answer?.message ?? 'it could not be edited'}`)
    })
    open = again
  }
}

export function isRepeatable(failure: string): boolean {
  return ['stale', 'not_read', 'not_found', 'ambiguous'].includes(failure)
}

function* findFiles(
  rules: readonly Rule[],
  place: Extract<Place, { ok: true }>,
  seen: ReadonlySet<string>,
): Plan<{ paths: string[]; cut: boolean }> {
  if (place.files) return { paths: place.paths ?? [], cut: false }
  const found = new Set<string>()
  /** Searches each portion at once; returns those that hold more lines than are shown. */
  const search = function* (portions: (string[] | undefined)[]): Plan<(string[] | undefined)[]> {
    const searches = portions.map((paths) => searchesOfAll(rules, paths))
    const answers = yield* grep(searches.flat())
    return portions.filter((_, index) => {
      const own = answers.splice(0, searches[index]?.length ?? 0)
      for (const answer of own) if (answer.ok) for (const match of answer.value.matches) found.add(match.path)
      return own.some((answer) => answer.ok && answer.value.truncated)
    })
  }
  const cut = yield* search([place.paths])
  if (cut.length === 0) return { paths: [...found].sort(), cut: false }
  const files = yield* listFiles({ glob: '**/*.{md,mdx,markdown}' })
  const inPlace = (path: string) => place.paths?.some((folder) => path.startsWith(`${folder}/`)) ?? true
  let rest = (files.ok ? files.value : []).filter(
    (path) => !seen.has(path) && !found.has(path) && inPlace(path),
  )
  for (const size of [25, 5, 1]) {
    const portions: string[][] = []
    for (let from = 0; from < rest.length; from += size) portions.push(rest.slice(from, from + size))
    const open = yield* search(portions)
    rest = open.flatMap((paths) => paths ?? []).filter((path) => !found.has(path))
  }
  return { paths: [...found].sort(), cut: true }
}

/** Long lists of words go into few searches. */
function searchesOfAll(rules: readonly Rule[], paths: string[] | undefined): Grep[] {
  const words = rules.map((rule) => rule.find)
  if (words.length <= 10 || !words.every((word) => /^[A-Za-z]+$/.test(word))) {
    return rules.flatMap((rule) => searchesOf(rule, paths))
  }
  const searches: Grep[] = []
  for (let from = 0; from < words.length; from += 60) {
    const pattern = `(${words.slice(from, from + 60).join('|')})`
    searches.push({ pattern, regex: true, ignoreCase: true, ...(paths ? { paths } : {}) })
  }
  return searches
}

/** The term itself, and for several words the line ends at which it may be broken. */
function searchesOf(rule: Rule, paths: string[] | undefined): Grep[] {
  const base = paths ? { paths } : {}
  const ignoreCase = rule.ignoreCase || rule.typo
  const searches: Grep[] = [{ pattern: rule.find, ignoreCase, ...base }]
  const words = rule.find.trim().split(/\s+/)
  if (words.length < 2 || words.length > 6) return searches
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const ends = escaped.slice(0, -1).map((_, index) => escaped.slice(0, index + 1).join(' +'))
  searches.push({ pattern: `(${ends.join('|')})[ \t\r]*$`, regex: true, ignoreCase, ...base })
  return searches
}
