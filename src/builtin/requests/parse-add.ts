import { firstMatch, headOf } from './head.ts'
import type { Masked } from './mask.ts'
import { quotation } from './mask.ts'
import type { AdmonitionKind, Place, Request } from './request.ts'

const verb = `(?:add|create|insert|append|prepend|write|put|make|include)`
const name = `(${quotation}|[^\\uE000\\uE001\\n]{1,200}?)`
const called = `(?:called|named|titled|entitled|with (?:the )?(?:title|heading|name)|headed|under the heading)`
const page = `((?:[^\\uE000\\uE001\\n]{0,60}?\\s)?${quotation}(?:\\s(?:page|file|document|article|guide))?|[^\\uE000\\uE001\\n]{1,200}?)`
const onto = `(?:to|on|in|into|at|for)`
const admonition = `(?:admonitions?|callouts?|box|boxes|message|block|aside)`
const kinds = `note|tip|warning|info|caution|danger|important|hint|alert`

const addPage = new RegExp(
  `^(?:${verb}|start)\\s+(?:a\\s+)?(?:new\\s+|another\\s+)?(?:(${quotation})\\s+page|(?:docs? |documentation )?(?:page|article|document)(?:\\s+(?:${called}\\s+)?${name})?)((?:\\s+(?:at|as|to|in|into|under|inside|after|below|titled|called|named|with title|within)\\s+.{1,300}?)?)$`,
  'i',
)
const addSection = compile([
  `${verb}\\s+(?:a\\s+|the\\s+)?(?:new\\s+)?(?:sub-?)?(?:section|chapter|heading)(?:\\s+(?:${called}\\s+|on\\s+|about\\s+)?(${quotation}|(?!to\\b|on\\b|at\\b|in\\b)[^\\uE000\\uE001\\n]{1,120}?))?\\s+${onto}\\s+${page}(?:,?\\s+${called}\\s+${name})?`,
  `${verb}\\s+(?:a\\s+|an\\s+|the\\s+)?(?:new\\s+)?(${quotation}|[^\\s\\uE000\\uE001]{1,60})\\s+section\\s+${onto}\\s+${page}()`,
])
const addNote = compile([
  `${verb}\\s+(?:a\\s+|an\\s+|the\\s+|this\\s+|following\\s+)*(${kinds})(?:\\s+${admonition})?\\s+${onto}\\s+${page}`,
  `(?:warn|note)()\\s+(?:on|in)\\s+${page}`,
])
const addParagraph = compile([
  `${verb}\\s+(?:a\\s+|an\\s+|the\\s+|this\\s+|these\\s+|following\\s+|new\\s+)*(?:paragraph|text|sentences?|lines?|content|words)\\s+${onto}\\s+${page}`,
])
const placed =
  /,?\s*\b(?:(?:right |directly |just )?(after|before|above|below|under|underneath|following|beneath|in)\s+(?:the\s+)?(?:(?:section|heading|chapter)\s+(?:called |named |titled )?(\uE000\d+\uE001|[^\n,]{1,120}?)|(\uE000\d+\uE001|[^\n,\uE000]{1,120}?)\s+(?:section|heading|chapter)|(\uE000\d+\uE001))(?=$|\s+(?:of|in|on|to|from)\s+)|(?:(?:at|to|on) (?:the )?(?:very )?(top|beginning|start|end|bottom)(?=$|\s+(?:of|in|on)\s+)))/i

/** A head and the text it brings: `Add a note to the quickstart page: "…"`. */
const contentAfter = new RegExp(
  `^(${verb}\\b[^\\n]{0,600}?)(?:\\s+(?:with|containing)(?:\\s+(?:the|this|following|these|as|its))*(?:\\s+(?:text|content|contents|body|words|markdown|lines))?\\s*:?\\s*(?=${quotation}|\\n)|\\s+with(?:\\s+(?:the|this|following))*(?:\\s+(?:text|content|contents|body|words|markdown))?\\s*:\\s*|\\s+(?:saying|that says|which says|that reads|reading|to say|stating|that states)(?:\\s+that)?\\s*:?\\s*|\\s*:(?=\\s|${quotation}|$)\\s*)([\\s\\S]*)$`,
  'i',
)
const quotedFirst = new RegExp(
  `^(${verb}\\s+(?:(?:a|an|the|this|following|new)\\s+)*(?:${kinds}|paragraph|sentence|text|line)(?:\\s+${admonition})?)\\s*:?\\s*(${quotation})\\s*(\\s${onto}\\s+[\\s\\S]{1,300})$`,
  'i',
)

const opening = new RegExp(`^(?:${verb}|start|warn|note)\\b`, 'i')

// Where a new page goes.
const named = '(\uE000\\d+\uE001|[^\\s\uE000][^\uE000]{0,80}?)'
const stop = '(?=\\s+(?:at|as|in|into|under|inside|after|below|titled|called|named|to|group|section)\\b|$)'
const within = '\\b(?:to|in|into|under|inside|within)\\s+(?:the\\s+)?'
const groupKind = '(?:navigation\\s+|sidebar\\s+)?(?:group|section|category|tab)'
const titledForm = new RegExp(`\\b(?:titled|called|named|with title)\\s+${named}${stop}`, 'i')
const groupFirst = new RegExp(`${within}${groupKind}\\s+(?:called\\s+|named\\s+)?${named}${stop}`, 'i')
const groupLast = new RegExp(`${within}${named}\\s+${groupKind}`, 'i')
const folderForm = new RegExp(`${within}${named}\\s+(?:folder|directory)`, 'i')
const afterForm = new RegExp(`\\b(?:after|below)\\s+${named}${stop}`, 'i')
const looseForm = new RegExp(`\\b(?:to|under|in|into)\\s+(?:the\\s+)?${named}${stop}`, 'i')

/** Pages, sections, paragraphs and admonitions with a given text. */
export function parseAdd(piece: string, masked: Masked): Request | undefined {
  const said = piece.replace(
    /^(?:in|on|for|to)\s+(?:the\s+)?([^,:\n]{1,200}),\s*(add|insert|append|put|write|include)\s+([^:\n]{1,200}?)(?=\s*:|\s+(?:with|saying|that says)\b)/i,
    '$2 $3 to $1',
  )
  const split = splitContent(said)
  const head = headOf(split.head)
  if (head === undefined || !opening.test(head)) return undefined
  const content = readContent(split.content, masked)
  const { rest, place } = takePlace(head, masked)
  const note = firstMatch(addNote, rest)
  if (note) {
    const admonition = admonitionOf(note[1] === '' ? (rest.split(' ')[0] ?? '') : (note[1] ?? ''))
    return { kind: 'add note', page: masked.restore(note[2] ?? '').trim(), admonition, place, content }
  }
  const paragraph = firstMatch(addParagraph, rest)
  if (paragraph)
    return { kind: 'add paragraph', page: masked.restore(paragraph[1] ?? '').trim(), place, content }
  const section = firstMatch(addSection, rest)
  if (section) {
    const [, before, page = '', after] = section
    const said = before !== undefined && before !== '' ? before : after
    const heading = said === undefined || said === '' ? undefined : masked.valueOf(said)
    return { kind: 'add section', page: masked.restore(page).trim(), heading, place, content }
  }
  const created = addPage.exec(head)
  return created ? readNewPage(created, content, masked) : undefined
}

function splitContent(said: string): { head: string; content: string } {
  const quoted = quotedFirst.exec(said)
  if (quoted) return { head: `${quoted[1]}${quoted[3]}`, content: quoted[2] ?? '' }
  const found = contentAfter.exec(said)
  return found?.[1] === undefined ? { head: said, content: '' } : { head: found[1], content: found[2] ?? '' }
}

/** The text as it was given: quotes or a Markdown fence around the whole of it are its wrapping. */
function readContent(content: string, masked: Masked): string {
  const value = masked.valueOf(content)
  const raw = masked.restore(content.trim())
  if (raw.startsWith('```') && value !== raw && !/^```(?:md|mdx|markdown|text|txt)?\s*\n/i.test(raw))
    return raw
  if (value !== raw) return trimBlank(value)
  const outer = /^(["“«])([\s\S]*)(["”»])[.]?$/.exec(raw)
  return trimBlank(outer?.[2] ?? raw)
}

function trimBlank(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const indents = lines.filter((line) => line !== '').map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0)
  // Text below a list item comes indented as a whole; its first line may stand beside the colon.
  const common = Math.min(...(indents[0] === 0 && indents.length > 1 ? indents.slice(1) : indents), 12)
  const first = indents[0] === 0
  const listed = isListed(lines)
  const shifted = lines.map((line, index) => (first && (index === 0 || !listed) ? line : line.slice(common)))
  return shifted.join('\n').trim()
}

/** Whether every later line is indented, so that the indentation belongs to the request and not to the text. */
function isListed(lines: readonly string[]): boolean {
  return (
    lines.slice(1).every((line) => line === '' || /^[ \t]/.test(line)) &&
    !/^(?:[-*+]|\d+[.)])\s|:$/.test(lines[0] ?? '')
  )
}

function takePlace(head: string, masked: Masked): { rest: string; place: Place } {
  const found = placed.exec(head)
  if (!found) return { rest: head, place: { at: /^prepend/i.test(head) ? 'start' : 'end' } }
  const edge = found[5]?.toLowerCase()
  const named = found[2] ?? found[3] ?? found[4]
  // `in "Setup"` names a page unless it says section.
  if (edge === undefined && found[4] !== undefined && /^in$/i.test(found[1] ?? '')) {
    return { rest: head, place: { at: 'end' } }
  }
  const before = head.slice(0, found.index).replace(/,?\s+(?:to|on|in|at)$/i, '')
  let after = head.slice(found.index + found[0].length).trim()
  after = after.replace(/^(?:of|in|on|to|from)\s+/i, '')
  const rest = after === '' ? before : `${before} to ${after}`
  if (edge !== undefined) return { rest, place: { at: /end|bottom/.test(edge) ? 'end' : 'start' } }
  const word = (found[1] ?? '').toLowerCase()
  const at = /^(?:after|following)$/.test(word)
    ? 'after'
    : /^(?:before|above)$/.test(word)
      ? 'before'
      : 'under'
  return { rest, place: named === undefined ? { at: 'end' } : { at, heading: masked.valueOf(named) } }
}

function admonitionOf(said: string): AdmonitionKind {
  switch (said.toLowerCase()) {
    case 'tip':
    case 'hint':
      return 'tip'
    case 'warning':
    case 'alert':
    case 'warn':
      return 'warning'
    case 'info':
      return 'info'
    case 'caution':
      return 'caution'
    case 'danger':
      return 'danger'
    case 'important':
      return 'important'
    default:
      return 'note'
  }
}

function readNewPage(found: RegExpExecArray, content: string, masked: Masked): Request | undefined {
  const where = found[3] ?? ''
  const given = masked.valueOf(found[1] ?? found[2] ?? '')
  const part = (form: RegExp) => {
    const value = form.exec(where)?.[1]
    return value === undefined ? undefined : masked.valueOf(value)
  }
  const titled = part(titledForm)
  const at = part(/\b(?:at|as|in|to)\s+(\S+\.(?:md|mdx|markdown))/i)
  const group = part(groupFirst) ?? part(groupLast)
  const folder =
    part(/\b(?:to|in|into|under|inside|at|within)\s+(?:the\s+)?(?:folder\s+)?([^\s\uE000]+\/)(?=\s|$)/i) ??
    part(folderForm)
  const after = part(afterForm)
  const loose = group === undefined && folder === undefined && at === undefined ? part(looseForm) : undefined
  const isPath = /\.(?:md|mdx|markdown)$/i.test(given)
  const title = isPath ? (titled ?? '') : given === '' ? (titled ?? '') : given
  const path = isPath ? given : at
  if (title === '' && path === undefined) return undefined
  return { kind: 'add page', title, path, group: group ?? looseGroup(loose), folder, after, content }
}

function looseGroup(said: string | undefined): string | undefined {
  if (
    said === undefined ||
    /\b(?:docs|documentation|site|navigation|sidebar|repo|repository|project)$/i.test(said)
  )
    return undefined
  return said
}

function compile(forms: readonly string[]): RegExp[] {
  return forms.map((form) => new RegExp(`^${form}$`, 'i'))
}
