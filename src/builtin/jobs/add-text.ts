import { admonitionPattern, styleOf, writeAdmonition, type AdmonitionStyle } from '../pages/admonition.ts'
import { explainPage } from '../pages/explain-page.ts'
import { findPage } from '../pages/find-page.ts'
import { findHeading, outlineOf, sectionEnd, titleOf, type Outline } from '../pages/page-outline.ts'
import { mostCommon } from '../pages/paths.ts'
import type { Plan } from '../replay.ts'
import type { Place, Request } from '../requests/request.ts'
import { editFiles, grep, readFile, writeFile, type Edit } from '../tools.ts'
import { code, nothing, quote, type Work } from './outcome.ts'
import { isRepeatable } from './substitute.ts'

export type AddText = Extract<Request, { kind: 'add section' | 'add paragraph' | 'add note' }>

/** A section, paragraph or admonition with the given text. Nothing that stands there changes. */
export function* addText(request: AddText): Work {
  const noun = nounOf(request)
  const found = yield* findPage(request.page)
  const name = request.page.replace(/^the\s+|["“”]/gi, '')
  if (found.kind !== 'one') return nothing(`Add ${noun} to ${name}`, explainPage(request.page, found))
  const { path } = found.page
  let title = `Add ${noun} to ${quote(found.page.title || path)}`
  if (request.content === '') {
    return nothing(
      title,
      `The text is missing, and none is invented here. Say it: ${code(`Add ${noun} to ${path}: "…"`)}.`,
    )
  }
  let failure = 'it could not be edited'
  for (let attempt = 0; attempt < 2; attempt++) {
    const text = yield* readFile(path)
    if (!text.ok) return nothing(title, `${code(path)} could not be read: ${text.message}`)
    const outline = outlineOf(text.value, path)
    title = `Add ${noun} to ${quote(titleOf(outline) ?? path)}`
    const spot = spotOf(outline, request.place)
    if (typeof spot === 'string') return nothing(title, `${code(path)}: ${spot}`)
    const block = yield* composeBlock(request, outline, path)
    if (text.value.includes(block)) return nothing(title, `${code(path)} holds this text already.`)
    const edit = insertion(outline, spot, block)
    const done = edit
      ? (yield* editFiles([{ path, edits: [edit] }]))[0]
      : yield* writeFile(path, `${text.value.trimEnd()}${text.value.trim() === '' ? '' : '\n\n'}${block}\n`)
    if (done?.ok === true) {
      const changed = [`${code(path)}: ${noun} added ${placeSaid(request.place)}`]
      return { title, what: `Added ${noun} with the text given, as asked.`, changed, left: [] }
    }
    failure = done?.message ?? failure
    if (!done || !isRepeatable(done.code)) break
  }
  return nothing(title, `${code(path)} could not be changed: ${failure}`)
}

function nounOf(request: AddText): string {
  switch (request.kind) {
    case 'add section':
      return request.heading === undefined ? 'a section' : `a section ${quote(request.heading)}`
    case 'add paragraph':
      return 'a paragraph'
    default:
      return /^[aeiou]/.test(request.admonition) ? `an ${request.admonition} box` : `a ${request.admonition}`
  }
}

function placeSaid(place: Place): string {
  if (place.heading !== undefined) return `${place.at} “${place.heading}”`
  return place.at === 'start' ? 'at the top' : 'at the end'
}

/** Index of the line before which the text goes. */
function spotOf(outline: Outline, place: Place): number | string {
  if (place.heading !== undefined) {
    const heading = findHeading(outline, place.heading)
    if (!heading) {
      const known = outline.headings.slice(0, 12).map((heading) => quote(heading.text))
      const listed = known.length > 0 ? ` Headings: ${known.join(', ')}.` : ''
      return `there is no heading ${quote(place.heading)}.${listed}`
    }
    if (place.at === 'before') return heading.line
    return sectionEnd(outline, heading, place.at === 'after')
  }
  if (place.at !== 'start') return outline.lines.length
  const top = outline.headings.find((heading) => heading.level === 1)
  let line = top ? top.line + 1 : outline.bodyLine
  // Imports of MDX stay on top.
  if (top) return line
  while (/^(?:\s*$|import\s|export\s)/.test(outline.lines[line] ?? 'text')) line += 1
  return line
}

/** Beside the last or next line that holds text, with one blank line on each side; undefined in an empty page. */
function insertion(outline: Outline, spot: number, block: string): Edit | undefined {
  const { lines } = outline
  let before = Math.min(spot, lines.length) - 1
  while (before >= 0 && (lines[before] ?? '').trim() === '') before -= 1
  if (before < 0) {
    const next = lines.findIndex((line) => line.trim() !== '')
    const line = lines[next]
    return line === undefined ? undefined : { search: line, replace: `${block}\n\n${line}`, line: next + 1 }
  }
  const search = lines[before] ?? ''
  const following = lines[before + 1]
  const close = following !== undefined && following.trim() !== '' ? '\n' : ''
  return { search, replace: `${search}\n\n${block}${close}`, line: before + 1 }
}

function* composeBlock(request: AddText, outline: Outline, path: string): Plan<string> {
  if (request.kind === 'add paragraph') return request.content
  if (request.kind === 'add note')
    return writeAdmonition(request.admonition, request.content, yield* readStyle(outline, path))
  if (request.heading === undefined) return request.content
  const own = /^#{1,6}[ \t]+(?![ \t])([^\n]+)\n+/.exec(request.content)
  const repeated = own?.[1]?.trim().toLowerCase() === request.heading.toLowerCase()
  const body = own && repeated ? request.content.slice(own[0].length) : request.content
  return `${'#'.repeat(levelFor(request.place, outline))} ${request.heading}\n\n${body}`
}

function levelFor(place: Place, outline: Outline): number {
  const beside = place.heading === undefined ? undefined : findHeading(outline, place.heading)
  if (beside) return Math.max(2, Math.min(6, place.at === 'under' ? beside.level + 1 : beside.level))
  const tops = outline.headings.filter((heading) => heading.level === 1).length
  return tops > 1 ? 1 : 2
}

/** The page's own way of writing notes, else the repository's most common one, else a quotation. */
function* readStyle(outline: Outline, path: string): Plan<AdmonitionStyle> {
  const own = outline.lines.flatMap((line) => styleOf(line) ?? [])
  const here = mostCommon(own)
  if (here) return here
  const [found] = yield* grep([{ pattern: admonitionPattern, regex: true, limit: 200 }])
  const matches = found?.ok === true ? found.value.matches : []
  const fitting = matches.filter((match) => match.path.endsWith('.mdx') === path.endsWith('.mdx'))
  const lines = (fitting.length > 0 ? fitting : matches).filter((match) =>
    /\.(?:mdx?|markdown)$/.test(match.path),
  )
  return mostCommon(lines.flatMap((match) => styleOf(match.text) ?? [])) ?? 'quote'
}
