import type { Change } from '../pages/find-text.ts'
import type { Request } from '../requests/request.ts'
import { changeFiles } from './change-files.ts'
import { code, describeLines, nothing, type Work } from './outcome.ts'

/** What a list item, a heading or a quotation begins with: it stays where somebody only wrote the words behind it. */
const beginning = /^\s*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6}|>)\s+)?/

/** Puts a suggestion in the place of the lines that it was made beside, if they are still there. */
export function* applySuggestion({
  path,
  line,
  quote,
  text: wanted,
}: Extract<Request, { kind: 'suggestion' }>): Work {
  const title = `Apply a suggestion to ${path}`
  const { done, failed } = yield* changeFiles([path], (_, text) => changeOf(text, { line, quote, wanted }))
  const [changed] = done
  if (changed) {
    const lines = describeLines(changed.lines)
    return {
      title,
      what: `Applied the suggestion at ${code(path)}, ${lines}`,
      changed: [`${code(path)}: suggestion applied (${lines})`],
      left: [],
    }
  }
  const why = failed[0]?.why ?? 'the lines already read like that'
  return nothing(title, `The suggestion at ${code(path)}, line ${line}, was not applied: ${why}.`)
}

function changeOf(
  text: string,
  { line, quote, wanted }: { line: number; quote: string; wanted: string },
): Change[] | string {
  const lines = text.split('\n')
  const old = quote.split('\n')
  const at = placeOf(lines, old, line - 1)
  if (at === undefined) return 'the lines have changed since'
  const start = lines.slice(0, at).reduce((length, one) => length + one.length + 1, 0)
  const end = lines.slice(at, at + old.length).reduce((length, one) => length + one.length + 1, start)
  if (wanted === '') return [{ start, end: Math.min(end, text.length), replace: '' }]
  const [kept = ''] = beginning.exec(old[0] ?? '') ?? []
  const [own = ''] = beginning.exec(wanted) ?? []
  const ending = lines[at]?.endsWith('\r') === true ? '\r\n' : '\n'
  const replace = (own === '' ? kept + wanted : wanted).split(/\r?\n/).join(ending)
  const last = end - 1 - (ending.length - 1)
  if (text.slice(start, last) === replace) return []
  if (start < last) return [{ start, end: last, replace }]
  // An edit names a text that is there: for a blank line the end of the line before it, or of its own.
  return start > 0
    ? [{ start: start - 1, end: last, replace: `\n${replace}` }]
    : [{ start, end: Math.min(end, text.length), replace: replace + ending }]
}

/** Where the lines stand, as near as possible to where they were. Blank lines are everywhere: they are meant where they were. */
function placeOf(lines: readonly string[], old: readonly string[], at: number): number | undefined {
  const isAt = (start: number): boolean =>
    old.every((one, index) => lines[start + index]?.replace(/\r$/, '') === one)
  if (isAt(at)) return at
  if (old.every((one) => one.trim() === '')) return undefined
  const places = lines.flatMap((_, start) => (isAt(start) ? [start] : []))
  return places.toSorted((one, other) => Math.abs(one - at) - Math.abs(other - at))[0]
}
