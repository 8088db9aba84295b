import { lineEdits, type Change } from '../pages/line-edits.ts'
import { resolveScope } from '../pages/resolve-scope.ts'
import type { Plan } from '../replay.ts'
import type { Request } from '../requests/request.ts'
import type { Problem } from '../tools.ts'
import { check, editFiles, readFiles } from '../tools.ts'
import { code, count, nothing, type Work } from './outcome.ts'
import { isRepeatable } from './substitute.ts'

const batch = 40
const mostListed = 40

/** Broken links, anchors and images with one certain target are changed; the others are listed. */
export function* fixLinks(request: Extract<Request, { kind: 'links' }>): Work {
  const place = yield* resolveScope(request.scope)
  const noun = request.only === undefined ? 'links' : `${request.only}s`
  if (!place.ok) return nothing(`Fix broken ${noun}`, place.why)
  const title = place.said === 'everywhere' ? `Fix broken ${noun}` : `Fix broken ${noun} ${place.said}`
  const changed: string[] = []
  let left: string[] = []
  let fixed = 0
  const tried = new Set<string>()
  // Problems may come in portions: check again while that brings new ones.
  for (let round = 0; round < 10; round++) {
    const found = yield* check(place.paths)
    if (!found.ok) return { title, what: `The check failed: ${found.message}`, changed, left }
    const kinds = request.only === undefined ? ['link', 'anchor', 'image'] : [request.only]
    const problems = found.value.filter((problem) => kinds.includes(problem.check))
    const certain = problems.filter(
      (problem) => problem.href !== undefined && problem.suggestions.length === 1,
    )
    left = problems.filter((problem) => !certain.includes(problem)).map(describe)
    const fresh = certain.filter((problem) => !tried.has(keyOf(problem)))
    for (const problem of fresh) tried.add(keyOf(problem))
    const failed: string[] = []
    fixed += yield* repair(fresh, changed, failed)
    left.push(...failed)
    if (problems.length === 0 && changed.length === 0) {
      return nothing(title, `No broken ${noun} were found ${place.said}: every one resolves.`)
    }
    if (fresh.length === 0) break
  }
  const more = left.length - mostListed
  const listed = left.slice(0, mostListed)
  if (more > 0) listed.push(`and ${more} more`)
  if (fixed === 0) {
    return nothing(
      title,
      `${count(left.length, 'broken link')} found ${place.said}, but none has one certain target.`,
      listed,
    )
  }
  const where = place.said === 'everywhere' ? '' : ` ${place.said}`
  const what = `Fixed ${count(fixed, `broken ${noun.slice(0, -1)}`)}${where} whose target is certain.`
  return { title, what, changed, left: listed }
}

/** Repairs what `check` named; returns how many links were changed. */
export function* repair(problems: readonly Problem[], changed: string[], failed: string[]): Plan<number> {
  const byFile = Map.groupBy(problems, (problem) => problem.path)
  let fixed = 0
  let open = [...byFile.keys()]
  for (let attempt = 0; attempt < 2 && open.length > 0; attempt++) {
    const again: string[] = []
    for (let from = 0; from < open.length; from += batch) {
      const texts = yield* readFiles(open.slice(from, from + batch))
      const work: { path: string; edits: ReturnType<typeof lineEdits>['edits']; said: string[] }[] = []
      for (const [path, text] of texts) {
        if (!text.ok) {
          failed.push(`${code(path)}: ${text.message}`)
          continue
        }
        const changes: Change[] = []
        const said: string[] = []
        for (const problem of byFile.get(path) ?? []) {
          const change = linkChange(text.value, problem, changes)
          if (!change) failed.push(describe(problem))
          else {
            changes.push(change)
            said.push(`${code(problem.href ?? '')} → ${code(change.replace)}`)
          }
        }
        const { edits } = lineEdits(text.value, changes)
        if (edits.length > 0) work.push({ path, edits, said })
      }
      const answers = yield* editFiles(work.map(({ path, edits }) => ({ path, edits })))
      work.forEach(({ path, said }, index) => {
        const answer = answers[index]
        if (answer?.ok) {
          fixed += said.length
          changed.push(
            `${code(path)}: ${said.slice(0, 6).join(', ')}${said.length > 6 ? `, ${said.length - 6} more` : ''}`,
          )
        } else if (answer && attempt === 0 && isRepeatable(answer.code)) again.push(path)
        else failed.push(`${code(path)}: ${answer?.message ?? 'it could not be edited'}`)
      })
    }
    open = again
  }
  return fixed
}

/** The link's target on its line, or just below: a tag may spread over lines. */
function linkChange(text: string, problem: Problem, taken: readonly Change[]): Change | undefined {
  const [replace] = problem.suggestions
  if (problem.href === undefined || problem.href === '' || replace === undefined) return undefined
  let at = 0
  for (let line = 1; line < problem.line && at >= 0; line++) at = text.indexOf('\n', at) + 1 || -1
  if (at < 0) return undefined
  let end = at
  for (let line = 0; line < 5 && end < text.length; line++) {
    const newline = text.indexOf('\n', end)
    end = newline < 0 ? text.length : newline + 1
  }
  for (
    let start = text.indexOf(problem.href, at);
    start >= 0 && start < end;
    start = text.indexOf(problem.href, start + 1)
  ) {
    const past = start + problem.href.length
    const before = /[("'<=:\s]/.test(text[start - 1] ?? ' ')
    const free = !taken.some((other) => other.start < past && start < other.end)
    if (free && before && /[)"'>\s]/.test(text[past] ?? ' ')) return { start, end: past, replace }
  }
  return undefined
}

function keyOf(problem: Problem): string {
  return `${problem.path}\n${problem.line}\n${problem.href ?? ''}`
}

function describe(problem: Problem): string {
  const where = code(`${problem.path}:${problem.line}`)
  const options = problem.suggestions.slice(0, 3).map(code).join(' or ')
  const said = problem.message.replace(/\s+/g, ' ').trim().slice(0, 200)
  return `${where}: ${said}${options === '' ? '' : ` (perhaps ${options})`}`
}
