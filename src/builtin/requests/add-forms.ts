import {
  formOf,
  isQuotation,
  matchForm,
  rawValueOf,
  valueOf,
  wordsOf,
  type Slots,
  type Word,
} from './forms.ts'
import type { Masked } from './mask.ts'
import type { AdmonitionKind, Place, Request } from './request.ts'

const verb = 'add|create|write|insert|append|prepend|put|include'
const box = 'note|tip|warning|info|caution|danger|important|hint|alert'
const lines = 'paragraph|text|sentence|sentences|line|lines|content'
const called = 'called|named|titled|about|on?'
const within = 'to|in|into|under|inside|within the?'

const noteForms = [
  `${verb} a|an|the|this|following|new* ${box} box|callout|admonition|block? to|on|in|into|for {page}`,
  `${verb} a|an|the|this|following|new* ${box} box|callout|admonition|block? {quoted} to|on|in|into|for {page}`,
  `${verb} a|an|the|this|following|new* ${box} box|callout|admonition|block? about|on|regarding {topic} to|in|into {page}`,
].map(formOf)
const paragraphForms = [
  `${verb} a|an|the|this|these|following|new* ${lines} to|on|in|into {page}`,
  `${verb} a|an|the|this|these|following|new* ${lines} {quoted} to|on|in|into {page}`,
  `${verb} a|an|the|this|these|following|new* ${lines} about|on|regarding {topic} to|in|into {page}`,
].map(formOf)
const sectionForms = [
  `${verb} a|the|new* section|chapter to|on|in|into {page}`,
  `${verb} a|the|new* section|chapter|heading ${called} {heading} to|on|in|into {page}`,
  `${verb} a|an|the|new* {heading} section|chapter to|on|in|into {page}`,
].map(formOf)
const pageForms = [
  `${verb}|start a|new|another* docs|documentation? page|article|document ${called} {title} {rest}?`,
  `${verb}|start a|new|another* {quoted} page|article|document {rest}?`,
].map(formOf)
/** Where a new page goes, in any order after its title. */
const tailForms = [
  `at|as|to|in {file} {rest}?`,
  `${within} folder? {folder} {rest}?`,
  `${within} {group} folder|directory {rest}?`,
  `${within} navigation|sidebar? group|section|category|tab called|named? {group} {rest}?`,
  `${within} {group} navigation|sidebar? group|section|category|tab {rest}?`,
  `after|below {page} {rest}?`,
  `titled|called|named|with_title {title} {rest}?`,
  `${within} {group}`,
].map(formOf)

const edge = 'at|to|on the? very? top|beginning|start|end|bottom'
const beside = 'after|before|above|below|under|underneath'
const places = [
  edge,
  `${beside}|in the? section|heading|chapter called|named|titled? {heading}`,
  `${beside}|in the? {heading} section|heading|chapter`,
  `${beside} {quoted}`,
]
const placeForms = places.flatMap((place) => [
  formOf(`{request} ${place} of|in|on|to|from {page}`),
  formOf(`{request} ${place}`),
])

/** Reads requests for pages, sections, paragraphs and admonitions with a given text. */
export function parseAddRequest(piece: string, masked: Masked): Request | undefined {
  const lead =
    /^((?:in|on|for|to|under|after|before|below|above) )(?:the )?([^,:\n]{1,200}?)(?:,|(?<! (?:to|and))(?= \w+ an? )) ((?:add|insert|append|put|write|include) [^:\n]{1,200}?)(?=:| (?:with|saying|that says)\b|$)/i
  const { head, content: given } = splitContent(piece.replace(lead, '$3 $1$2'))
  const words = wordsOf(given === '' ? head.replace(ending, '') : head)
  if (![...verb.split('|'), 'start'].includes(words[0]?.key ?? '')) return undefined
  return readText(words, given, masked) ?? readPage(words, readContent(given, masked), masked)
}

function readText(words: readonly Word[], given: string, masked: Masked): Request | undefined {
  const { rest, place } = takePlace(words, masked)
  const first = (forms: typeof noteForms) => forms.map((form) => matchForm(form, rest)).find(Boolean)
  const about = (slots: Slots) => ({
    page: rawValueOf(slots['page'], masked),
    place,
    content: slots['quoted'] ? valueOf(slots['quoted'], masked) : readContent(given, masked),
  })
  const note = first(noteForms)
  if (note) {
    const name = rest.find(({ key }) => box.split('|').includes(key))?.key ?? 'note'
    return { kind: 'add note', admonition: kindOf(name), ...about(note) }
  }
  const paragraph = first(paragraphForms)
  if (paragraph) return { kind: 'add paragraph', ...about(paragraph) }
  const section = first(sectionForms)
  if (!section) return undefined
  const heading = section['heading'] && valueOf(section['heading'], masked)
  return { kind: 'add section', heading, ...about(section) }
}

function kindOf(word: string): AdmonitionKind {
  if (word === 'hint') return 'tip'
  if (word === 'alert') return 'warning'
  const kinds: readonly AdmonitionKind[] = ['tip', 'warning', 'info', 'caution', 'danger', 'important']
  return kinds.find((kind) => kind === word) ?? 'note'
}

/** Removes "at the top" and "under the heading …" from the words, and leaves the page. */
function takePlace(words: readonly Word[], masked: Masked): { rest: readonly Word[]; place: Place } {
  for (const form of placeForms) {
    const slots = matchForm(form, words)
    const what = slots?.['request']
    if (!slots || !what) continue
    const onto = slots['page'] ? [...wordsOf('to'), ...slots['page']] : []
    const rest = [...what, ...onto]
    const keys = words.slice(what.length).map(({ key }) => key)
    const heading = slots['heading'] ?? slots['quoted']
    if (!heading) {
      const isEnd = keys.some((word) => word === 'end' || word === 'bottom')
      return { rest, place: { at: isEnd ? 'end' : 'start' } }
    }
    const at = keys[0] === 'after' ? 'after' : /^(?:before|above)$/.test(keys[0] ?? '') ? 'before' : 'under'
    return { rest, place: { at, heading: valueOf(heading, masked) } }
  }
  return { rest: words, place: { at: words[0]?.key === 'prepend' ? 'start' : 'end' } }
}

const longestHead = 600
const withText =
  / (?:with|containing)(?: (?:the|this|following|these))*(?: (?:text|content|contents|body|words|markdown))?:?\s+(?=\uE000|\n)/
const saying = / (?:saying|stating|reading|that says|which says|that reads)(?: that)?:?\s+/
const colon = /:(?=\s|\uE000|$)/
const withEnd =
  / (?:with|containing)(?: (?:the|this|following|these))*(?: (?:text|content|contents|body|words|markdown))?$/

/** Splits a request from the text that it contains: `Add a note to the quickstart page: "…"`. */
function splitContent(piece: string): { head: string; content: string } {
  const start = piece.slice(0, longestHead)
  const matches = [withText, saying, colon].map((form) => form.exec(start)).filter((one) => one !== null)
  const [first] = matches.sort((a, b) => a.index - b.index)
  // `Add a note to the upgrade page that …`: the clause is the text.
  const clause = start.indexOf(' that ')
  if (!first && clause > 0 && /^(?:add|put|insert|include|write) an? (?:\w+ )?(?:to|on|in) /i.test(start))
    return { head: piece.slice(0, clause).trim(), content: sentenceOf(piece.slice(clause + 6)) }
  // `Add a note that … to the upgrade page`
  const page = /^(an? [\w ]{1,20}) that (.{1,500}) ((?:to|on|in) (?:the )?[^,.:;]{1,60} page)[.!]?$/i.exec(
    start.slice(4),
  )
  if (!first && page?.[2] !== undefined && /^(?:add|put) /i.test(start))
    return { head: `${start.slice(0, 4)}${page[1]} ${page[3]}`, content: sentenceOf(page[2]) }
  if (!first) return { head: start === piece ? piece.trim() : '', content: '' }
  const head = piece.slice(0, first.index).replace(withEnd, '').trim()
  const content = piece.slice(first.index + first[0].length)
  if (first[0].trim().endsWith('that'))
    return { head, content: content.includes('\uE000') ? content : sentenceOf(content) }
  const after = /^\s*(\uE000\d{1,9}\uE001)[.,]?[ ]+(\S[^\n]*)$/.exec(content)
  const tail = after?.[2]?.replace(ending, '') ?? ''
  if (!after || first[0].trim() === ':') return { head, content }
  if (tail === '') return { head, content: after[1] ?? '' }
  // `With the text "…" under Guides` goes on with the request, and other words have no known meaning.
  return /^(?:to|in|into|on|under|at|after|before|below|above|inside)\b/i.test(tail)
    ? { head: `${head} ${tail}`, content: after[1] ?? '' }
    : { head: '', content: '' }
}

const ending = /(?:^|,?\s)(?:please|thanks|thank you)[.!?\s]*$|[.!?]$/i

/** What follows "that", as a sentence. */
function sentenceOf(clause: string): string {
  const text = clause.trim()
  const sentence = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(text) ? sentence : `${sentence}.`
}

/** The given text without the quotes or the Markdown fence around all of it. */
function readContent(content: string, masked: Masked): string {
  const value = masked.valueOf(content)
  const raw = masked.restore(content.trim())
  if (raw.startsWith('```') && value !== raw && !/^```(?:md|mdx|markdown|text|txt)?\s*\n/i.test(raw))
    return raw
  if (value !== raw) return trimBlank(value)
  const outer = /^(["“«])([\s\S]*)(["”»])[.]?$/.exec(raw)
  return trimBlank(outer?.[2] ?? raw)
}

/** Text below a list item is indented as a whole, but its first line may follow the colon. */
function trimBlank(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const indentOf = (line: string) => line.length - line.trimStart().length
  const [first = '', ...others] = lines
  const later = others.filter((line) => line !== '').map(indentOf)
  const common = Math.min(...later, 12)
  const isListItem = /^(?:[-*+]|\d{1,9}[.)])\s|:$/.test(first)
  if (later.length === 0 || common === 0 || isListItem) return lines.join('\n').trim()
  return [first, ...others.map((line) => line.slice(common))].join('\n').trim()
}

function readPage(words: readonly Word[], content: string, masked: Masked): Request | undefined {
  for (const form of pageForms) {
    let place: Tails | undefined
    const slots = matchForm(form, words, ({ rest = [] }) => {
      place = readTails(rest, masked)
      return place !== undefined
    })
    if (!slots || !place) continue
    const { title = '', path, groupWords, ...where } = place
    const named = slots['title'] ?? slots['quoted']
    const value = valueOf(named, masked)
    const titled = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
    const pageTitle = isQuotation(named) ? value : titled(value)
    const titleWithGroup =
      groupWords && named && !isQuotation(named)
        ? titled(valueOf([...named, ...groupWords], masked))
        : undefined
    const isPath = /\.(?:md|mdx|markdown)$/i.test(pageTitle)
    return {
      kind: 'add page',
      ...where,
      titleWithGroup,
      title: isPath ? title : pageTitle,
      path: isPath ? value : path,
      content,
    }
  }
  return undefined
}

type Tails = Pick<Extract<Request, { kind: 'add page' }>, 'path' | 'group' | 'folder' | 'after'> & {
  title: string | undefined
  /** The words at the end that may name a group, with their preposition, where nothing else says that they do. */
  groupWords: readonly Word[] | undefined
}

const mostTail = 20

function readTails(words: readonly Word[], masked: Masked): Tails | undefined {
  const none = {
    path: undefined,
    group: undefined,
    folder: undefined,
    after: undefined,
    title: undefined,
    groupWords: undefined,
  }
  if (words.length === 0) return none
  if (words.length > mostTail) return undefined
  for (const [index, form] of tailForms.entries()) {
    let others: Tails | undefined
    const slots = matchForm(form, words, ({ rest = [] }) => {
      others = readTails(rest, masked)
      return others !== undefined
    })
    if (!slots || !others) continue
    const slotText = (name: string) => slots[name] && valueOf(slots[name], masked)
    const group = slotText('group')
    if (slots['file']) return { ...others, path: slotText('file') }
    if (slots['folder'] || index === 2) return { ...others, folder: slotText('folder') ?? `${group ?? ''}/` }
    if (slots['page']) return { ...others, after: rawValueOf(slots['page'], masked) }
    if (slots['title']) return { ...others, title: slotText('title') }
    const isSite = /\b(?:docs|documentation|site|navigation|sidebar|repo|repository|project)$/i
    return isSite.test(group ?? '')
      ? others
      : { ...others, group, groupWords: index === tailForms.length - 1 ? words : undefined }
  }
  return undefined
}
