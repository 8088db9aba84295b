import { decodeEntities, entityCharacter } from './entities.ts'
import { codeSpan, inlineTarget } from './inline-target.ts'
import { endOfBraces, readTag } from './tag.ts'
import { shownAttributes } from './shown-attributes.ts'

export interface PlainTextOptions {
  /** Braces hold JavaScript. */
  mdx: boolean
  /** Keep the backticks of inline code: whoever shows the text needs to know where code is. */
  ticks: boolean
  /** Keep what components show of their attributes (`<Card title="…">`), and separate blocks by a space. Ids of headings have neither. */
  attributes: boolean
  /** Whether `{#id .class}` is markup; it is when not given. */
  attributeLists?: boolean
  /** Whether the alternative texts of images are text; they are when not given. */
  alt?: boolean
  /** Alternative texts stay marked: `![text]`, so that a reader of the text knows what is no sentence of the page. */
  marksImages?: boolean
  /** Labels of the page's reference definitions, lower case. */
  references: ReadonlySet<string>
  /** The text of a footnote's reference, which has none when not given. It is called for each, also without a text. */
  footnote?: ((label: string) => string) | undefined
  /** Dashes are made of `--` and `---`, or all signs of print, outside of code. */
  typography?: 'dashes' | 'print' | undefined
  /** `:tada:` is no text. */
  leavesEmojiOut?: boolean
  /** `@name` is a citation, and no text. */
  leavesCitationsOut?: boolean
  /** Entities stay as they are written. */
  hasEntities?: boolean
  /** Of `:name[label]{…}` the label alone is text. */
  directives?: 'anywhere' | 'words' | undefined
  /** `{name}` before code is a role of MyST, whose text may be followed by what it names: `text <name>`. */
  hasRoles?: boolean
  /** The source of expressions in braces is text. */
  hasExpressions?: boolean
  /** Told about every id that a tag or an attribute list sets, and every component with a title. */
  onTag?: ((name: string, attributes: ReadonlyMap<string, string>) => void) | undefined
}

const special = /[\\`*_~[\]!<&{:]/g
const entityAt = /&(#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,30});/y
const autolinkAt = /<((?:https?|ftp|mailto):[^\s<>]{1,2000}|[\w.+-]{1,64}@[\w.-]{1,255})>/y
const attributeListAt =
  /\{:?[ \t]*((?:[#.][\w:.+-]+|[\w:-]+=(?:"[^"\n{}]*"|'[^'\n{}]*'|[^\s"'{}]+))(?:[ \t]+(?:#?[\w:.+-]+(?:=(?:"[^"\n{}]*"|'[^'\n{}]*'|[^\s"'{}]+))?))*)[ \t]*\}/y
const emojiAt = /:[a-z\d_+-]{1,60}:/y
const directiveAt = /:[A-Za-z](?:[\w-]{0,60}[A-Za-z\d])?(?![\w:-])/y
const componentAt = /:[A-Za-z][\w-]{0,60}(?![\w-])/y
const roleAt = /\{[\w:.+-]{1,60}\}(?=`)/y
const iconAt = /:(?:material|octicons|fontawesome|simple|twemoji)-[\w-]{1,80}:/y
const maxExpression = 2000
const punctuation = /[!-/:-@[-`{-~]/

/** The text of one paragraph, heading, list item or table cell without its markup. Linear in its length. */
export function plainText(source: string, options: PlainTextOptions): string {
  const out: string[] = []
  const brackets: Bracket[] = []
  const emphasis = new Emphasis(out)
  const unmatchedTicks = new Set<number>()
  let noTagBefore = 0
  let noBraceBefore = 0
  let position = 0
  while (position < source.length) {
    special.lastIndex = position
    const mark = special.exec(source)
    if (!mark) break
    const at = mark.index
    if (at > position) out.push(textOf(source.slice(position, at), options))
    position = at + 1
    const character = mark[0]
    if (character === '\\') {
      const next = source[at + 1]
      if (next === '\n') out.push('')
      else if (next !== undefined && punctuation.test(next)) {
        out.push(next)
        position++
      } else out.push('\\')
    } else if (character === '`') {
      position = readCode(source, at, unmatchedTicks, options, out)
    } else if (character === '*' || character === '_' || character === '~') {
      position = emphasis.read(source, at)
    } else if (character === '!' && source[at + 1] === '[') {
      brackets.push({ index: out.length, at: at + 1, image: true })
      out.push('![')
      position++
    } else if (character === '[') {
      brackets.push({ index: out.length, at, image: false })
      out.push('[')
    } else if (character === ']') {
      position = closeBracket(source, at, brackets, options, out)
    } else if (character === '<') {
      const end = at >= noTagBefore ? readAngle(source, at, options, out) : undefined
      if (typeof end === 'number') position = end
      else {
        out.push('<')
        if (end) noTagBefore = end.failedAt
      }
    } else if (character === '&') {
      entityAt.lastIndex = at
      const match = entityAt.exec(source)
      const decoded = match?.[1] === undefined ? undefined : entityCharacter(match[1])
      out.push(
        decoded === undefined || match === null ? '&' : options.hasEntities === true ? match[0] : decoded,
      )
      if (decoded !== undefined && match) position = at + match[0].length
    } else if (character === '{') {
      const end = at >= noBraceBefore ? readBraces(source, at, options, out) : undefined
      if (end !== undefined) position = end
      else {
        out.push('{')
        // `{{` of a template language is not an expression. After an unclosed brace, no further closing brace is
        // searched for.
        noBraceBefore = Math.max(noBraceBefore, options.mdx ? at + maxExpression : at + 2)
      }
    } else {
      const end = readColon(source, at, options)
      if (end === undefined) {
        out.push(character)
        continue
      }
      position = end
      if (source[end] !== '[') continue
      brackets.push({ index: out.length, at: end, image: false, isLabel: true })
      out.push('')
      position++
    }
  }
  out.push(textOf(source.slice(position), options))
  return out.join('')
}

interface Bracket {
  index: number
  at: number
  image: boolean
  /** It opens the label of a directive. */
  isLabel?: boolean
}

function textOf(source: string, { typography, leavesCitationsOut }: PlainTextOptions): string {
  const text = leavesCitationsOut === true ? source.replace(/(?<![^\s[(])@[A-Za-z\d][\w:./-]*/g, '') : source
  if (typography === undefined) return text
  return typography === 'dashes' ? text.replace(/-{2,3}/g, '—') : printed(text)
}

/** Straight quotes, two hyphens and three dots as the signs that they stand for. */
function printed(text: string): string {
  return text
    .replace(/(?<=[\s([{])"/g, '“')
    .replaceAll('"', '”')
    .replace(/(?<=[\s([{])'/g, '‘')
    .replaceAll("'", '’')
    .replace(/(?<!-)--(?!-)/g, '—')
    .replaceAll('...', '…')
}

/** Where the name of an icon, an emoji or a directive ends that the colon at `at` begins; undefined for a colon. */
function readColon(source: string, at: number, options: PlainTextOptions): number | undefined {
  const named = [iconAt, ...(options.leavesEmojiOut === true ? [emojiAt] : [])]
  for (const pattern of named) {
    pattern.lastIndex = at
    const match = pattern.exec(source)
    if (match) return at + match[0].length
  }
  const before = at === 0 ? ' ' : (source[at - 1] ?? ' ')
  if (options.directives === undefined || before === ':') return undefined
  if (options.directives === 'words' && !/\s/.test(before)) return undefined
  const directive = options.directives === 'words' ? componentAt : directiveAt
  directive.lastIndex = at
  const match = directive.exec(source)
  if (!match) return undefined
  const end = at + match[0].length
  return source[end] === '{' ? (endOfBraces(source, end, end + 500) ?? end) : end
}

function readCode(
  source: string,
  at: number,
  unmatched: Set<number>,
  { ticks, hasRoles }: PlainTextOptions,
  out: string[],
): number {
  const { open, close, end } = codeSpan(source, at, unmatched)
  if (close === -1) {
    out.push('`'.repeat(open - at))
    return end
  }
  const code = source.slice(open, close).replaceAll('\n', ' ').trim()
  if (hasRoles === true && source[at - 1] === '}') {
    out.push(code.replace(/(?<=\S)\s*<[^<>]*>$/, ''))
    return end
  }
  const fence = code.includes('`') ? '``' : '`'
  out.push(ticks && code !== '' ? `${fence}${code}${fence}` : code)
  return end
}

function closeBracket(
  source: string,
  at: number,
  brackets: Bracket[],
  options: PlainTextOptions,
  out: string[],
): number {
  const opener = brackets.pop()
  if (!opener) {
    out.push(']')
    return at + 1
  }
  const label = source.slice(opener.at + 1, Math.min(at, opener.at + 1000))
  const drop = () => {
    out[opener.index] = ''
  }
  const erase = () => out.fill('', opener.index)
  if (opener.isLabel === true)
    return source[at + 1] === '{' ? (endOfBraces(source, at + 1, at + 500) ?? at + 1) : at + 1
  if (label.startsWith('^') && label.length < 100 && !label.includes(' ')) {
    erase()
    out.push(options.footnote?.(label.slice(1)) ?? '')
    return at + 1
  }
  const target = inlineTarget(source, at + 1)
  if (target) {
    if (opener.image && options.alt === false) erase()
    else if (opener.image && options.marksImages === true && label.trim() !== '') out.push(']')
    else drop()
    return target.end
  }
  if (source[at + 1] === '[') {
    const end = source.indexOf(']', at + 2)
    if (end !== -1 && end - at < 1000) {
      const reference = source.slice(at + 2, end) || label
      if (options.references.has(reference.trim().toLowerCase())) {
        drop()
        return end + 1
      }
    }
  }
  // `[ ]` and `[x]` are the boxes of a task list.
  if (/^[ xX]$/.test(label) && opener.index === 0) {
    erase()
    return at + 1
  }
  if (options.references.has(label.trim().toLowerCase())) drop()
  else out.push(']')
  return at + 1
}

function readAngle(
  source: string,
  at: number,
  options: PlainTextOptions,
  out: string[],
): number | { failedAt: number } {
  if (source.startsWith('<!--', at)) {
    const end = source.indexOf('-->', at + 4)
    return end === -1 ? { failedAt: source.length } : end + 3
  }
  autolinkAt.lastIndex = at
  const autolink = autolinkAt.exec(source)
  if (autolink?.[1] !== undefined) {
    out.push(autolink[1])
    return at + autolink[0].length
  }
  const tag = readTag(source, at)
  if ('failedAt' in tag) return tag
  // `Result<T, E>` and `<client,peer>` are text.
  if (source[at + (tag.closing ? 2 : 1) + tag.name.length] === ',') return { failedAt: at + 1 }
  if (!tag.closing) {
    const attributes = new Map<string, string>()
    for (const { name, value } of tag.attributes) if (value !== undefined) attributes.set(name, value)
    options.onTag?.(tag.name, attributes)
    if (options.attributes) {
      const alt = options.marksImages === true ? attributes.get('alt') : undefined
      const texts = shownAttributes(tag.name, attributes).map((text) => (text === alt ? `![${text}]` : text))
      if (texts.length > 0) {
        const own = at === 0 || source[at - 1] === '\n'
        out.push(own ? `${texts.join('\n')}\n` : texts.join(' '))
      }
    }
    if (tag.name === 'br') out.push('\n')
  } else if (options.attributes && /^(?:td|th|p|div|li|tr|dt|dd|summary)$/.test(tag.name)) out.push(' ')
  return tag.end
}

function readBraces(
  source: string,
  at: number,
  options: PlainTextOptions,
  out: string[],
): number | undefined {
  roleAt.lastIndex = at
  const role = options.hasRoles === true ? roleAt.exec(source) : null
  if (role) return at + role[0].length
  attributeListAt.lastIndex = at
  const list = options.attributeLists === false ? null : attributeListAt.exec(source)
  if (list) {
    const id = /(?:^|\s)#([\w:.+-]+)/.exec(list[1] ?? '')?.[1]
    if (id !== undefined) options.onTag?.('', new Map([['id', id]]))
    return at + list[0].length
  }
  if (source[at + 1] === '%') {
    const end = source.slice(at, at + 500).indexOf('%}')
    return end === -1 ? undefined : at + end + 2
  }
  if (!options.mdx) return undefined
  const end = endOfBraces(source, at, Math.min(source.length, at + maxExpression))
  if (end === undefined) return undefined
  if (options.hasExpressions === true) {
    out.push(source.slice(at + 1, end - 1))
    return end
  }
  const literal = /^\{\s*(["'`])([^"'`$]*)\1\s*\}$/.exec(source.slice(at, end))
  if (literal?.[2] !== undefined) out.push(decodeEntities(literal[2]))
  return end
}

/** Removes `*`, `_` and `~~` where they mark emphasis, and keeps them where they do not (`a_b`, `2 * 3`). */
class Emphasis {
  readonly #out: string[]
  readonly #open = new Map<string, { index: number; count: number }[]>()

  constructor(out: string[]) {
    this.#out = out
  }

  /** Reads the run of delimiters at `at` and returns where it ends. */
  read(source: string, at: number): number {
    const character = source[at] ?? ''
    let end = at
    while (source[end] === character) end++
    let count = end - at
    const before = at === 0 ? ' ' : (source[at - 1] ?? ' ')
    const after = source[end] ?? ' '
    const word = /[\p{L}\p{N}]/u
    let opens = !/\s/.test(after)
    let closes = !/\s/.test(before)
    if (character === '_') {
      const inside = word.test(before) && word.test(after)
      opens &&= !inside
      closes &&= !inside
    }
    if (character === '~' && count !== 2) opens = closes = false
    const stack = this.#open.get(character) ?? []
    this.#open.set(character, stack)
    for (let opener = closes ? stack.at(-1) : undefined; opener && count > 0; opener = stack.at(-1)) {
      const taken = Math.min(opener.count, count)
      opener.count -= taken
      count -= taken
      this.#out[opener.index] = character.repeat(opener.count)
      if (opener.count === 0) stack.pop()
    }
    if (count > 0) {
      if (opens) stack.push({ index: this.#out.length, count })
      this.#out.push(character.repeat(count))
    }
    return end
  }
}
