import { explainPage, findPage, mostCommon } from '../pages/find-page.ts'
import type { Change } from '../pages/find-text.ts'
import { titleOf, tooMuchMarkup, type Heading, type PageText, type ReadPage } from '../../site/page-text.ts'
import type { Plan } from '../replay.ts'
import type { AdmonitionKind, Place, Request } from '../requests/request.ts'
import { grep } from '../tools.ts'
import { changeFiles } from './change-files.ts'
import { code, nothing, quote, type Work } from './outcome.ts'
import { writeTitle } from './write-title.ts'
import { pageEnding } from '../../site/text/markup.ts'

type AddText = Extract<Request, { kind: 'add section' | 'add paragraph' | 'add note' }>

/** Adds a section, paragraph or admonition with the given text. Existing text is not changed. */
export function* addText(request: AddText, read: ReadPage): Work {
  const noun = nounOf(request)
  const match = yield* findPage(request.page)
  if (match.kind !== 'one') return nothing(`Add ${noun} to ${request.page}`, explainPage(request.page, match))
  const { path } = match.page
  let title = `Add ${noun} to ${quote(match.page.title || path)}`
  if (request.content === '') {
    const example = code(`Add ${noun} to ${path}: "Back up your data first."`)
    return nothing(
      title,
      `The text is missing, and the built-in model does not invent one. Give it as in ${example}.`,
    )
  }
  const style = request.kind === 'add note' ? yield* readStyle(path) : undefined
  const { done, failed } = yield* changeFiles([path], (_, text) => {
    const page = read(text, path)
    if (page.unread) return tooMuchMarkup
    title = `Add ${noun} to ${quote(titleOf(page) ?? path)}`
    const heading = request.place.heading === undefined ? undefined : findHeading(page, request.place.heading)
    if (request.place.heading !== undefined && !heading) {
      const known = page.headings.slice(0, 12).map((one) => quote(one.text))
      const listed = known.length > 0 ? `, only ${known.join(', ')}` : ''
      return `there is no heading ${quote(request.place.heading)}${listed}`
    }
    const block = composeBlock(request, page, { beside: heading, style, path })
    if (text.includes(block)) return 'it holds this text already'
    return [insertion(page, request.place, heading, block)]
  })
  const [failure] = failed
  if (failure) return nothing(title, `${code(path)} could not be changed: ${failure.why}.`)
  if (done.length === 0) return nothing(title, `${code(path)} could not be changed.`)
  const changed = [`${code(path)}: ${noun} added ${placeSaid(request.place)}`]
  return { title, what: `Added ${noun} with the text given, as asked.`, changed, left: [] }
}

function nounOf(request: AddText): string {
  if (request.kind === 'add paragraph') return 'a paragraph'
  if (request.kind === 'add section') return `a section ${quote(request.heading)}`
  return /^[aeiou]/.test(request.admonition) ? `an ${request.admonition} box` : `a ${request.admonition}`
}

function placeSaid(place: Place): string {
  if (place.heading !== undefined) return `${place.at} “${place.heading}”`
  return place.at === 'start' ? 'at the top' : 'at the end'
}

/** Finds the heading that a person named, ignoring case and punctuation. */
function findHeading({ headings }: PageText, named: string): Heading | undefined {
  const key = (text: string) => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
  const wanted = key(named)
  if (wanted === '') return undefined
  const partial = headings.filter((heading) => key(heading.text).includes(wanted))
  return (
    headings.find((heading) => key(heading.text) === wanted) ??
    (partial.length === 1 ? partial[0] : undefined)
  )
}

/** Inserts a block after or before another one, with one blank line on each side. */
function insertion(page: PageText, place: Place, heading: Heading | undefined, block: string): Change {
  const after = (end: number): Change => {
    const next = page.text.slice(end, end + 400).split('\n', 2)[1]
    const gap = end < page.text.length && next !== undefined && next.trim() !== '' ? '\n' : ''
    return { start: end, end, replace: end === 0 ? block : `\n\n${block}${gap}` }
  }
  const before = (start: number): Change => ({ start, end: start, replace: `${block}\n\n` })
  if (heading && place.at === 'before') return before(heading.start)
  if (heading) return after(place.at === 'after' ? heading.wholeEnd : heading.ownEnd)
  if (place.at !== 'start') return after(page.end)
  const top = page.headings.find(({ level }) => level === 1)
  if (top && isAsciidocTitle(page.text, top)) return after(endOfHeader(page.text, top))
  if (top) return after(page.text.indexOf('\n', top.start) < 0 ? page.end : endOfBlock(page.text, top))
  return page.start < page.end ? before(page.start) : after(page.end)
}

function isAsciidocTitle(text: string, { start }: Heading): boolean {
  return text[start] === '='
}

/** The end of a title with the lines of the header right below it. */
function endOfHeader(text: string, { start }: Heading): number {
  const end = text.slice(start).search(/\n[ \t]*(?:\n|$)/)
  return end === -1 ? text.trimEnd().length : start + end
}

/** The end of a heading, including its underline if it has one. */
function endOfBlock(text: string, heading: Heading): number {
  const end = text.indexOf('\n', heading.textStart)
  const line = /^\n {0,3}([!-/:-@[-`{-~])\1*[ \t]*(?=\n|$)/.exec(text.slice(end, end + 400))
  return end + (line && text[heading.start] !== '#' ? line[0].length : 0)
}

function composeBlock(
  request: AddText,
  page: PageText,
  { beside, style, path }: { beside: Heading | undefined; style: AdmonitionStyle | undefined; path: string },
): string {
  if (request.kind === 'add note')
    return writeAdmonition(request.admonition, request.content, style ?? 'quote')
  if (request.kind === 'add paragraph') return request.content
  const own = /^#{1,6}[ \t]+(?![ \t])([^\n]+)\n+/.exec(request.content)
  const repeated = own?.[1]?.trim().toLowerCase() === request.heading.toLowerCase()
  const body = own && repeated ? request.content.slice(own[0].length) : request.content
  return `${writeTitle(request.heading, levelFor(request.place, page, beside), page.text, path)}\n\n${body}`
}

function levelFor(place: Place, { headings }: PageText, beside: Heading | undefined): number {
  if (beside) return Math.max(2, Math.min(6, place.at === 'under' ? beside.level + 1 : beside.level))
  return headings.filter((heading) => heading.level === 1).length > 1 ? 1 : 2
}

/** The page's own style of admonitions, otherwise the repository's most common one, otherwise a quotation. */
function* readStyle(path: string): Plan<AdmonitionStyle> {
  if (path.endsWith('.rst')) return 'docutils'
  const search = { pattern: admonitionPattern, regex: true, limit: 200 }
  const [own, all] = yield* grep([{ ...search, paths: [path] }, search])
  const pages = (all?.ok === true ? all.value.matches : []).filter((match) => pageEnding.test(match.path))
  const isAsciidoc = path.endsWith('.adoc')
  const isAlike = (other: string) =>
    isAsciidoc ? other.endsWith('.adoc') : other.endsWith('.mdx') === path.endsWith('.mdx')
  const alike = pages.filter((match) => isAlike(match.path))
  const here = own?.ok === true ? own.value.matches : []
  const styles = [here, alike, ...(isAsciidoc ? [] : [pages])].map((matches) =>
    mostCommon(matches.flatMap(({ text }) => styleOf(text, isAsciidoc) ?? [])),
  )
  return styles.find((style) => style !== undefined) ?? (isAsciidoc ? 'label' : 'quote')
}

/** A syntax of admonitions. */
type AdmonitionStyle =
  | 'component'
  | 'directive'
  | 'two colons'
  | 'spaced directive'
  | 'indented'
  | 'slashes'
  | 'alert'
  | 'docutils'
  | 'label'
  | 'block'
  | 'quote'

const names = 'note|tip|warning|info|caution|danger|important|check|hint'

/** Finds admonitions of each style; valid for POSIX and JavaScript expressions alike. */
const admonitionPattern = `(<(Note|Tip|Warning|Info|Caution|Danger|Check)>|^ *::+ *(${names})|^ *!!! +(${names})|^ */// +(${names})|^ *> *\\[!(NOTE|TIP|WARNING|IMPORTANT|CAUTION)\\]|^\\[?(NOTE|TIP|WARNING|IMPORTANT|CAUTION)[]:,])`

function styleOf(line: string, isAsciidoc: boolean): AdmonitionStyle | undefined {
  if (isAsciidoc) return /^\[[A-Z]/.test(line) ? 'block' : /^[A-Z]/.test(line) ? 'label' : undefined
  if (/<(?:Note|Tip|Warning|Info|Caution|Danger|Check)>/.test(line)) return 'component'
  if (/^\s*:::+\s+\w/.test(line)) return 'spaced directive'
  if (/^\s*:::+\w/.test(line)) return 'directive'
  if (/^\s*::\w/.test(line)) return 'two colons'
  if (/^\s*!!!\s+\w/.test(line)) return 'indented'
  if (/^\s*\/\/\/\s+\w/.test(line)) return 'slashes'
  return /^\s*>\s*\[!\w+\]/.test(line) ? 'alert' : undefined
}

/** The names of kinds that differ in each syntax; a missing kind becomes the most similar one. */
const known: Record<AdmonitionStyle, Partial<Record<AdmonitionKind, string>>> = {
  component: {
    tip: 'Tip',
    warning: 'Warning',
    info: 'Info',
    caution: 'Warning',
    danger: 'Warning',
    important: 'Warning',
    note: 'Note',
  },
  directive: { important: 'warning' },
  // Nuxt has note, tip, warning and caution.
  'two colons': { info: 'note', danger: 'caution', important: 'warning' },
  // VitePress has info, tip, warning and danger.
  'spaced directive': { note: 'info', caution: 'warning', important: 'warning' },
  indented: { caution: 'warning', important: 'warning' },
  slashes: { caution: 'warning', important: 'warning' },
  alert: {
    note: 'NOTE',
    tip: 'TIP',
    info: 'NOTE',
    warning: 'WARNING',
    caution: 'CAUTION',
    danger: 'CAUTION',
    important: 'IMPORTANT',
  },
  docutils: { info: 'note' },
  label: { info: 'note', danger: 'warning' },
  block: { info: 'note', danger: 'warning' },
  quote: {},
}

function writeAdmonition(kind: AdmonitionKind, text: string, style: AdmonitionStyle): string {
  const name = known[style][kind] ?? kind
  switch (style) {
    case 'component':
      return `<${name}>\n${text}\n</${name}>`
    case 'directive':
      return `:::${name}\n\n${text}\n\n:::`
    case 'two colons':
      return `::${name}\n${text}\n::`
    case 'spaced directive':
      return `::: ${name}\n${text}\n:::`
    case 'indented':
      return `!!! ${name}\n\n${text.replace(/^(?=.)/gm, '    ')}`
    case 'slashes':
      return `/// ${name}\n\n${text}\n\n///`
    case 'alert':
      return `> [!${name}]\n${text.replace(/^/gm, '> ').replace(/(?<![ \t])[ \t]+$/gm, '')}`
    case 'docutils':
      return `.. ${name}::\n\n${text.replace(/^(?=.)/gm, '   ')}`
    case 'label':
    case 'block': {
      // A label takes one paragraph.
      const isOne = !/\n\s*\n|^(?:[*.-]|\||-{2,}|={2,})\s/m.test(text)
      const label = name.toUpperCase()
      return style === 'label' && isOne ? `${label}: ${text}` : `[${label}]\n====\n${text}\n====`
    }
    case 'quote': {
      const label = `**${name.charAt(0).toUpperCase()}${name.slice(1)}:** `
      return (label + text).replace(/^/gm, '> ').replace(/(?<![ \t])[ \t]+$/gm, '')
    }
  }
}
