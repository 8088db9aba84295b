import { findPlace } from '../pages/find-page.ts'
import type { Change } from '../pages/find-text.ts'
import type { Plan } from '../replay.ts'
import type { Request } from '../requests/request.ts'
import { check, type Checked, type Problem } from '../tools.ts'
import { changeFiles } from './change-files.ts'
import { code, nothing, type Work } from './outcome.ts'
import { extractLinks, type Link } from '../../site/markdown/extract-links.ts'
import { counted, countedPlural } from '../../lib/text/counted.ts'

const mostListed = 40
const mostRounds = 10

/** Fixes broken links, anchors and images that have exactly one possible target, and lists the others. */
export function* fixLinks(request: Extract<Request, { kind: 'links' }>): Work {
  const place = yield* findPlace(request.scope)
  const noun = request.only ?? 'link'
  if (!place.ok) return nothing(`Fix broken ${noun}s`, place.why)
  const where = place.description === 'everywhere' ? '' : ` ${place.description}`
  const title = `Fix broken ${noun}s${where}`
  const changed: string[] = []
  let left: string[] = []
  let fixed = 0
  let last: Checked | undefined
  const tried = new Set<string>()
  // Problems may be reported in portions: check again as long as that returns new ones.
  for (let round = 0; round < mostRounds; round++) {
    const answer = yield* check(place.paths)
    if (!answer.ok) return { title, what: `The check failed: ${answer.message}`, changed, left }
    last = answer.value
    const kinds = request.only === undefined ? ['link', 'anchor', 'image'] : [request.only]
    const problems = last.problems.filter((problem) => kinds.includes(problem.check))
    const certain = problems.filter(isCertain)
    const keyOf = ({ path, line, href }: Problem) => `${path}\n${line}\n${href ?? ''}`
    const fresh = certain.filter((problem) => !tried.has(keyOf(problem)))
    for (const problem of fresh) tried.add(keyOf(problem))
    const repaired = yield* repair(fresh)
    fixed += repaired.fixed
    changed.push(...repaired.changed)
    left = [...problems.filter((problem) => !certain.includes(problem)).map(describe), ...repaired.failed]
    if (fresh.length === 0) break
  }
  const unlisted = (last?.total ?? 0) - (last?.problems.length ?? 0)
  const more = left.length > mostListed ? [`and ${left.length - mostListed} more`] : []
  if (unlisted > 0)
    more.push(`${counted(unlisted, 'more problem')} that one check does not list: ask folder by folder`)
  const listed = [...left.slice(0, mostListed), ...more]
  const said = lookedAt(last)
  if (fixed === 0 && left.length === 0)
    return nothing(title, `No broken ${noun}s were found${where}. ${said}`)
  if (fixed === 0) {
    const number = counted(left.length, `broken ${noun}`)
    return nothing(title, `${number} found${where}, but none has one certain target. ${said}`, listed)
  }
  const what = `Fixed ${counted(fixed, `broken ${noun}`)}${where} whose target is certain. ${said}`
  return { title, what, changed, left: listed }
}

/** What was tried, and what was not. */
function lookedAt(found: Checked | undefined): string {
  const tried =
    found?.checked === undefined
      ? ''
      : `${counted(found.checked, 'link or image was', 'links and images were')} tried. `
  const others = found?.notLookedAt ?? []
  if (others.length > 0)
    return `${tried}Not checked: ${others.map(({ kind, count: number }) => countedPlural(number, kind)).join(', ')}.`
  return found?.checked === undefined
    ? 'Links to other sites, in code and those that an expression makes are not looked at.'
    : `${tried}There were no others.`
}

/** One suggestion that is neither the page itself nor perhaps another page with almost the same name. */
export function isCertain({ path, href, suggestions }: Problem): boolean {
  const [suggestion, ...others] = suggestions
  if (href === undefined || suggestion === undefined || others.length > 0) return false
  const [old, next, own] = [addressKey(href), addressKey(suggestion), addressKey(path)]
  if (next === '' || old === next) return true
  if (own === next || own.endsWith(`/${next}`) || next.endsWith(`/${own}`)) return false
  const [one, other] = [old, next].map((address) => (address.split('/').at(-1) ?? '').replace(/[-_.]/g, ''))
  return one === other || !isSlip(one ?? '', other ?? '')
}

function isSlip(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  let [start, end] = [0, 0]
  while (start < short.length && short[start] === long[start]) start++
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end++
  return long.length - start - end <= 2
}

/** An address without what people write in different ways: case, extension, slashes, `index`, escapes. */
function addressKey(href: string): string {
  const bare = href.replace(/[?#].*$/s, '').toLowerCase()
  const steps = bare.split('/').filter((step) => !/^(?:\.{0,2}|index(?:\.\w+)?|readme(?:\.\w+)?)$/.test(step))
  return steps
    .join('/')
    .replace(/\.(?:mdx?|markdown|rst|adoc|html?)$/, '')
    .replace(/(^|\/)\d+[-_.]/g, '$1')
}

/** Fixes problems that `check` reported, each with its only suggestion. */
export function* repair(
  problems: readonly Problem[],
): Plan<{ changed: string[]; failed: string[]; fixed: number }> {
  const byFile = Map.groupBy(problems, (problem) => problem.path)
  const edits = new Map<string, string[]>()
  const missed = new Map<string, Problem[]>()
  const { done, failed } = yield* changeFiles([...byFile.keys()], (path, text) => {
    const changes: Change[] = []
    const own = byFile.get(path) ?? []
    const links = extractLinks(text)
    missed.set(path, [])
    for (const problem of own) {
      const change = linkChange(links, problem, changes)
      if (change) changes.push(change)
      else missed.get(path)?.push(problem)
    }
    edits.set(
      path,
      changes.map(({ start, end, replace }) => `${code(text.slice(start, end))} → ${code(replace)}`),
    )
    return changes
  })
  const changed = done.map(({ path }) => {
    const all = edits.get(path) ?? []
    return `${code(path)}: ${all.slice(0, 6).join(', ')}${all.length > 6 ? `, ${all.length - 6} more` : ''}`
  })
  const reasons = failed.map(({ path, why }) => `${code(path)}: ${why}`)
  const fixed = done.reduce((sum, { path }) => sum + (edits.get(path)?.length ?? 0), 0)
  return { changed, failed: [...[...missed.values()].flat().map(describe), ...reasons], fixed }
}

/** The link that the check means, as it found it. */
function linkChange(links: readonly Link[], problem: Problem, taken: readonly Change[]): Change | undefined {
  const [replace] = problem.suggestions
  if (replace === undefined) return undefined
  const link = links.find(
    ({ href, line, start }) =>
      href === problem.href && line === problem.line && !taken.some((other) => other.start === start),
  )
  return link === undefined ? undefined : { start: link.start, end: link.end, replace }
}

function describe(problem: Problem): string {
  const options = problem.suggestions.slice(0, 3).map(code).join(' or ')
  const message = problem.message.replace(/\s+/g, ' ').trim().slice(0, 200)
  return `${code(`${problem.path}:${problem.line}`)}: ${message}${options === '' ? '' : ` (perhaps ${options})`}`
}
