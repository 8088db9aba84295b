import { shownAttributes } from '../../site/pages/shown-attributes.ts'
import { endOfBraces, readTag } from '../../site/pages/tag.ts'
import type { Tag } from '../../site/pages/tag.ts'
import { noteKind } from './admonition.ts'

/** What a line comes apart into; `break` ends a paragraph. */
export type Part =
  | { type: 'text'; text: string }
  | { type: 'break' }
  | { type: 'open'; name: string; note: string | undefined }
  | { type: 'close'; name: string }

const hidden = /^(?:script|style|svg|template|head|noscript|iframe|object|math)$/i
const block =
  /^(?:p|div|section|article|aside|header|footer|main|nav|ul|ol|dl|dt|dd|table|thead|tbody|tr|figure|figcaption|details|summary|center|blockquote|hr|pre|form)$/
const marks: ReadonlyMap<string, string> = new Map([
  ['code', '`'],
  ['kbd', '`'],
  ['strong', '**'],
  ['b', '**'],
  ['summary', '**'],
  ['em', '*'],
  ['i', '*'],
])
const maximumBraces = 4000

/** Reads a page line by line outside of fences and takes tags, comments and expressions out. */
export class InlineReader {
  readonly #text: string
  readonly #mdx: boolean
  // Up to where no tag, no brace and no comment closes: looking again would make hostile pages quadratic.
  #noTagBefore = 0
  #noBraceBefore = 0
  readonly #unclosed = new Map<string, number>()
  readonly #open = new Map<string, number>()
  readonly #links: (string | undefined)[] = []
  #position = 0
  #lineEnd = 0
  #line = ''
  #parts: Part[] = []
  #closers = new Map<string, number>()

  constructor(text: string, mdx: boolean) {
    this.#text = text
    this.#mdx = mdx
  }

  /** Reads to the end of the line that `from` stands in, further when a tag or a comment goes on. */
  readLine(from: number): { parts: Part[]; next: number } {
    this.#parts = []
    this.#line = ''
    this.#lineEnd = -1
    this.#move(from)
    const unmatched = new Set<number>()
    while (this.#position < this.#lineEnd) {
      const character = this.#text[this.#position] ?? ''
      if (character === '\\') this.#take(Math.min(2, this.#lineEnd - this.#position))
      else if (character === '`') this.#take(this.#codeLength(unmatched))
      else if (character === '<') this.#readAngle()
      else if (character === '{' && this.#mdx) this.#readBraces()
      else this.#take(this.#plainLength())
    }
    this.#flush()
    return { parts: this.#parts, next: this.#lineEnd + 1 }
  }

  /** Goes to a place of the text, in this line or a later one. */
  #move(position: number): void {
    this.#position = position
    if (position <= this.#lineEnd) return
    const end = this.#text.indexOf('\n', position)
    this.#lineEnd = end === -1 ? this.#text.length : end
    this.#closers.clear()
  }

  #take(length: number): void {
    this.#line += this.#text.slice(this.#position, this.#position + length)
    this.#position += length
  }

  #flush(): void {
    if (this.#line.trim() !== '') this.#parts.push({ type: 'text', text: this.#line })
    this.#line = ''
  }

  #plainLength(): number {
    let end = this.#position + 1
    while (end < this.#lineEnd && !'\\`<{'.includes(this.#text[end] ?? '')) end++
    return end - this.#position
  }

  /** Of the code span that starts here, or of its ticks when it does not close on this line. */
  #codeLength(unmatched: Set<number>): number {
    let open = this.#position
    while (this.#text[open] === '`') open++
    const ticks = open - this.#position
    if (!unmatched.has(ticks)) {
      for (let at = open; at < this.#lineEnd; at++) {
        if (this.#text[at] !== '`') continue
        let end = at
        while (this.#text[end] === '`') end++
        if (end - at === ticks) return end - this.#position
        at = end
      }
      unmatched.add(ticks)
    }
    return ticks
  }

  #readAngle(): void {
    const at = this.#position
    if (this.#text.startsWith('<!--', at)) {
      this.#skipPast('-->')
      return
    }
    const tag = at < this.#noTagBefore ? undefined : readTag(this.#text, at)
    if (tag && !('failedAt' in tag)) {
      this.#readElement(tag)
      return
    }
    if (tag) this.#noTagBefore = tag.failedAt
    // `<https://…>` stays a link; any other `<` is text.
    const link = /^<(?:[a-z][a-z+.-]{1,20}:|[^\s<>@]{1,64}@)/i.test(this.#text.slice(at, at + 70))
    this.#line += link ? '<' : '\\<'
    this.#position++
  }

  #readElement(tag: Tag): void {
    const { name, closing, selfClosing } = tag
    if (hidden.test(name) && !closing && !selfClosing) {
      this.#position = tag.end
      this.#skipPast(`</${name}`)
      this.#skipPast('>')
      return
    }
    this.#move(tag.end)
    if (hidden.test(name)) return
    const attributes = new Map(
      tag.attributes.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const])),
    )
    const heading = /^h([1-6])$/i.exec(name)?.[1]
    const mark = marks.get(name)
    if (heading !== undefined) {
      this.#break()
      if (!closing) this.#line = `${'#'.repeat(Number(heading))} `
    } else if (name === 'a') this.#readAnchor(tag, attributes.get('href'))
    else if (name === 'img') this.#line += `![${escapeText(attributes.get('alt') ?? '')}](#)`
    else if (name === 'br' || name === 'td' || name === 'th') this.#line += ' '
    else if (name === 'li') {
      this.#flush()
      if (!closing) this.#line = '- '
    } else if (/^[A-Z]/.test(name)) this.#readComponent(tag, attributes)
    else {
      if (block.test(name)) this.#break()
      if (
        mark !== undefined &&
        !selfClosing &&
        (closing ? this.#line.includes(mark) : this.#closesInLine(name))
      )
        this.#line += mark
    }
  }

  #readComponent({ name, closing, selfClosing }: Tag, attributes: ReadonlyMap<string, string>): void {
    const opened = this.#open.get(name) ?? 0
    if (closing) {
      if (opened === 0) return
      this.#flush()
      this.#open.set(name, opened - 1)
      this.#parts.push({ type: 'close', name })
      return
    }
    const note = noteOf(name, attributes)
    const shown = escapeText(shownAttributes(name, attributes).join(' ').replaceAll(/\s+/g, ' '))
    const started = this.#line.trim() !== ''
    if (started || (shown === '' && note === undefined && (selfClosing || this.#closesInLine(name)))) {
      this.#line += shown
      return
    }
    this.#break()
    if (note !== undefined && !selfClosing) this.#parts.push({ type: 'open', name, note })
    if (shown !== '') {
      const target = destination(attributes.get('href'))
      this.#parts.push({
        type: 'text',
        text: target === undefined ? `**${shown}**` : `[**${shown}**](${target})`,
      })
      this.#parts.push({ type: 'break' })
    }
    if (selfClosing) return
    if (note === undefined) this.#parts.push({ type: 'open', name, note })
    this.#open.set(name, opened + 1)
  }

  #readAnchor({ closing, selfClosing }: Tag, href: string | undefined): void {
    if (selfClosing) return
    if (closing) {
      const target = this.#links.pop()
      if (target !== undefined && this.#line.includes('[')) this.#line += `](${target})`
      return
    }
    const target = this.#closesInLine('a') ? destination(href) : undefined
    this.#links.push(target)
    if (this.#links.length > 100) this.#links.shift()
    if (target !== undefined) this.#line += '['
  }

  #readBraces(): void {
    const at = this.#position
    if (this.#text.startsWith('{/*', at)) {
      this.#skipPast('*/}')
      return
    }
    const limit = Math.min(this.#text.length, at + maximumBraces)
    const end = at < this.#noBraceBefore ? undefined : endOfBraces(this.#text, at, limit)
    if (end === undefined) {
      this.#noBraceBefore = Math.max(this.#noBraceBefore, limit)
      this.#take(1)
      return
    }
    // `{' '}` and other literals are text; everything else is code of the site.
    const literal = /^\{\s*(["'`])([^"'`\\$]*)\1\s*\}$/.exec(this.#text.slice(at, end))
    this.#line += literal?.[2] ?? ''
    this.#move(end)
  }

  #break(): void {
    this.#flush()
    this.#parts.push({ type: 'break' })
  }

  #closesInLine(name: string): boolean {
    let last = this.#closers.get(name)
    if (last === undefined) {
      // One look at the line per name; a line of a thousand names is no prose.
      if (this.#closers.size > 50) return false
      last = this.#text.slice(this.#position, this.#lineEnd).lastIndexOf(`</${name}>`)
      if (last !== -1) last += this.#position
      this.#closers.set(name, last)
    }
    return last >= this.#position
  }

  /** What never closes ends the page, as browsers have it. */
  #skipPast(close: string): void {
    const none = this.#unclosed.get(close)
    const end = none !== undefined && this.#position >= none ? -1 : this.#text.indexOf(close, this.#position)
    if (end === -1) {
      this.#unclosed.set(close, Math.min(none ?? this.#position, this.#position))
      this.#move(this.#text.length)
    } else this.#move(end + close.length)
  }
}

function noteOf(name: string, attributes: ReadonlyMap<string, string>): string | undefined {
  const kind = noteKind(name)
  return kind === undefined ? undefined : (noteKind(attributes.get('type') ?? '') ?? kind)
}

/** A link's target between angle brackets, or undefined when it cannot stand there. */
function destination(href: string | undefined): string | undefined {
  return href === undefined || href === '' || /[<>\n\\]/.test(href) ? undefined : `<${href}>`
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>{}#|~]/g, '\\$&')
}
