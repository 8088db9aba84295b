import { code, escaped, link } from '../markdown/write-text.ts'
import type { Attributes } from './attributes.ts'
import { type Macro, readMacro } from './macros.ts'

/** Running text as Markdown, and as its plain words. */
export interface Shown {
  markdown: string
  plain: string
}

export interface InlineContext {
  attributes: Attributes
  /** The link that a reference is: `target` as it is written in `xref:` or between angles. */
  reference: (target: string) => { href: string | undefined; title: string }
  image: (target: string) => string
  /** Keeps the text of a footnote and gives its number. */
  footnote: (text: string) => number
  anchor: (id: string, title: string | undefined) => void
}

const maxDepth = 6
const marks: ReadonlySet<string> = new Set(['*', '_', '`', '#', '^', '~'])
const isWord = (sign: string | undefined) =>
  sign !== undefined && (/\w/.test(sign) || /[\p{L}\p{N}]/u.test(sign))
const isSpace = (sign: string | undefined) => sign === undefined || /\s/.test(sign)
/** What may begin markup: all between is text. */
const next = /[\\`*_#^~["'(<]| \+\n|\+|(?<!\w)[a-z]\w{1,15}:/g

export function printInline(text: string, context: InlineContext): Shown {
  return printPart(context.attributes.fill(text), context, 0)
}

function printPart(text: string, context: InlineContext, depth: number): Shown {
  let [markdown, plain, held] = ['', '', '']
  /** Signs that nothing closes from here on. */
  const unclosed = new Set<string>()
  const flush = () => {
    markdown += escaped(held)
    plain += held
    held = ''
  }
  const put = (printed: Shown) => {
    flush()
    markdown += printed.markdown
    plain += printed.plain
  }
  const inner = (part: string): Shown =>
    depth < maxDepth ? printPart(part, context, depth + 1) : { markdown: escaped(part), plain: part }
  let at = 0
  while (at < text.length) {
    next.lastIndex = at
    const nextSign = next.exec(text)?.index ?? text.length
    if (nextSign > at) {
      held += text.slice(at, nextSign)
      at = nextSign
      continue
    }
    const sign = text[at] ?? ''
    const before = text[at - 1]
    if (sign === '\\') {
      // What is escaped is text: a sign, or the name of a macro.
      const behind = text[at + 1] ?? ''
      const word = /^(?:[a-z]{1,20}:|\{|<<|\[\[|\(\()/.exec(text.slice(at + 1, at + 24))?.[0] ?? ''
      const literal = word === '' && (marks.has(behind) || /['"+(.-]/.test(behind)) ? behind : word
      held += literal === '' ? sign : literal
      at += Math.max(1, literal.length + 1)
      continue
    }
    if (text.startsWith(' +\n', at)) {
      flush()
      markdown += '  \n'
      plain += '\n'
      at += 3
      continue
    }
    if (sign === '+' || sign === '`' || marks.has(sign) || sign === '[' || sign === '"' || sign === "'") {
      const quoted = readQuote(text, at, unclosed)
      if (quoted !== undefined) {
        const { mark, body, end, id } = quoted
        if (id !== undefined) {
          context.anchor(id, undefined)
          put({ markdown: `{#${id}}`, plain: '' })
        }
        put(printQuote(mark, body, inner))
        at = end
        continue
      }
    }
    if (sign === '<' && text.startsWith('<<', at)) {
      const end = unclosed.has('>>') ? -1 : text.indexOf('>>', at + 2)
      if (end === -1) unclosed.add('>>')
      else if (end - at < 1000 && /[\w"#]/.test(text[at + 2] ?? '')) {
        const [target = '', ...label] = text.slice(at + 2, end).split(',')
        put(printReference(target.trim(), label.join(',').trim(), context, inner))
        at = end + 2
        continue
      }
    }
    if (sign === '[' && text.startsWith('[[', at)) {
      const [whole, id = '', title] =
        /^\[\[([\w:][\w:.-]{0,200})(?:,([^\]\n]{0,300}))?\]\]/.exec(text.slice(at, at + 520)) ?? []
      if (whole !== undefined) {
        context.anchor(id, title?.trim())
        put({ markdown: `{#${id}}`, plain: '' })
        at += whole.length
        continue
      }
    }
    if (sign === '(' && text.startsWith('((', at)) {
      const end = unclosed.has('))') ? -1 : text.indexOf('))', at + 2)
      if (end === -1) unclosed.add('))')
      else if (text.startsWith('(((', at)) {
        flush()
        at = text[end + 2] === ')' ? end + 3 : end + 2
        continue
      } else if (end - at < 300) {
        put(inner(text.slice(at + 2, end)))
        at = end + 2
        continue
      }
    }
    if (!isWord(before) || sign === '<') {
      const macro = readMacro(text, at, unclosed)
      if (macro !== undefined) {
        put(printMacro(macro, context, inner))
        at = macro.end
        continue
      }
    }
    held += sign
    at++
  }
  flush()
  return { markdown, plain }
}

interface Quote {
  mark: string
  body: string
  end: number
  id: string | undefined
}

/** Text between signs, with the role in brackets that may stand before them. */
function readQuote(text: string, from: number, unclosed: Set<string>): Quote | undefined {
  let at = from
  let id: string | undefined
  if (text[from] === '[') {
    const [whole, role = ''] = /^\[([^\][\n]{1,100})\](?=[*_`#^~])/.exec(text.slice(from, from + 104)) ?? []
    if (whole === undefined) return undefined
    at += whole.length
    id = /#([\w:.-]{1,100})/.exec(role)?.[1]
  }
  const sign = text[at] ?? ''
  const curly = sign === '"' || sign === "'" ? `${sign}\`` : undefined
  if (curly !== undefined) {
    if (text[at + 1] !== '`' || isWord(text[from - 1])) return undefined
    const end = closeOf(text, at + 2, `\`${sign}`, unclosed)
    return end === undefined ? undefined : { mark: curly, body: text.slice(at + 2, end), end: end + 2, id }
  }
  for (const mark of sign === '+' ? ['+++', '++'] : [sign + sign]) {
    if (!text.startsWith(mark, at) || sign === '^' || sign === '~') continue
    const end = closeOf(text, at + mark.length + 1, mark, unclosed)
    if (end !== undefined)
      return { mark, body: text.slice(at + mark.length, end), end: end + mark.length, id }
  }
  if (sign === '^' || sign === '~') {
    const end = closeOf(text, at + 2, sign, unclosed)
    const body = end === undefined ? '' : text.slice(at + 1, end)
    return end === undefined || body.length > 200 || /\s/.test(body)
      ? undefined
      : { mark: sign, body, end: end + 1, id }
  }
  const before = text[from - 1]
  if (isWord(before) || /[;:}]/.test(before ?? '') || isSpace(text[at + 1]) || text[at + 1] === sign)
    return undefined
  if (unclosed.has(`1${sign}`)) return undefined
  for (let end = text.indexOf(sign, at + 2); end !== -1; end = text.indexOf(sign, end + 1)) {
    if (isSpace(text[end - 1]) || isWord(text[end + 1])) continue
    if (sign === '`' && /["'`]/.test(text[end + 1] ?? '')) continue
    return { mark: sign, body: text.slice(at + 1, end), end: end + 1, id }
  }
  unclosed.add(`1${sign}`)
  return undefined
}

function closeOf(text: string, from: number, mark: string, unclosed: Set<string>): number | undefined {
  if (unclosed.has(mark)) return undefined
  const end = text.indexOf(mark, from)
  if (end !== -1) return end
  unclosed.add(mark)
  return undefined
}

function printQuote(mark: string, body: string, inner: (part: string) => Shown): Shown {
  if (mark.startsWith('+'))
    return { markdown: mark === '+++' ? '' : escaped(body), plain: mark === '+++' ? '' : body }
  if (mark.startsWith('`')) {
    const literal =
      body.length > 1 && body.startsWith('+') && body.endsWith('+') ? body.slice(1, -1) : undefined
    const printed = literal === undefined ? inner(body) : { markdown: '', plain: literal }
    // A link in code stays a link; code in a link is code.
    const isLink = printed.markdown.startsWith('[') && printed.markdown.endsWith(')')
    return { markdown: isLink ? printed.markdown : code(printed.plain), plain: printed.plain }
  }
  const { markdown, plain } = inner(body)
  const around = mark.startsWith('*')
    ? ['**', '**']
    : mark.startsWith('_')
      ? ['*', '*']
      : mark.startsWith('"')
        ? ['“', '”']
        : mark.startsWith("'")
          ? ['‘', '’']
          : ['', '']
  const [left = '', right = ''] = around
  if (markdown.trim() === '') return { markdown, plain }
  const isSign = left === '“' || left === '‘'
  return { markdown: `${left}${markdown}${right}`, plain: isSign ? `${left}${plain}${right}` : plain }
}

function printReference(
  target: string,
  label: string,
  context: InlineContext,
  inner: (part: string) => Shown,
): Shown {
  const { href, title } = context.reference(target)
  const printed = label === '' ? { markdown: escaped(title), plain: title } : inner(label)
  return href === undefined ? printed : { markdown: link(printed.markdown, href), plain: printed.plain }
}

/** The text of a link without what follows it: `Text,window=_blank`, `Text^`. */
function labelOf({ body, list }: Macro): string {
  const text =
    body.includes('=') && /,|^"/.test(body)
      ? (list().positional[0] ?? '')
      : /^[\w-]{1,30}=\S*$/.test(body)
        ? ''
        : body
  return text.replace(/\^$/, '').trim()
}

function printMacro(macro: Macro, context: InlineContext, inner: (part: string) => Shown): Shown {
  const { name, target, body, list } = macro
  const nothing = { markdown: '', plain: '' }
  switch (name) {
    case 'xref':
      return printReference(target, labelOf(macro), context, inner)
    case 'url':
    case 'link':
    case 'mailto': {
      const label = labelOf(macro)
      const printed = label === '' ? { markdown: escaped(target), plain: target } : inner(label)
      const href = name === 'mailto' ? `mailto:${target}` : target
      return { markdown: link(printed.markdown, href), plain: printed.plain }
    }
    case 'image': {
      const { positional, named } = list()
      const alt = named.get('alt') ?? (positional[0] || altOf(target))
      return {
        markdown: `![${escaped(alt)}](${context.image(target).replaceAll(/[\s()<>]/g, encodeURIComponent)})`,
        plain: '',
      }
    }
    case 'footnote':
    case 'footnoteref':
      return { markdown: body === '' ? '' : `[^${context.footnote(inner(body).markdown)}]`, plain: '' }
    case 'kbd':
      return { markdown: code(body), plain: body }
    case 'btn':
      return { markdown: `**${escaped(body)}**`, plain: body }
    case 'menu': {
      const path = [target, ...body.split(/>|&gt;/)].map((part) => part.trim()).filter((part) => part !== '')
      const printed = path.join(' > ')
      return { markdown: `**${escaped(printed)}**`, plain: printed }
    }
    case 'anchor':
      context.anchor(target, body === '' ? undefined : body)
      return { markdown: `{#${target}}`, plain: '' }
    case 'pass':
      return target.includes('q') || target.includes('n') || target.includes('m')
        ? inner(body)
        : { markdown: escaped(body.replaceAll(/<[^<>]{0,500}>/g, '')), plain: body }
    case 'stem':
    case 'latexmath':
    case 'asciimath':
      return { markdown: code(body), plain: body }
    case 'indexterm2':
      return inner(body)
    default:
      return nothing
  }
}

/** What Asciidoctor says of a picture without a text. */
export function altOf(target: string): string {
  const name = target.slice(Math.max(...['/', ':', '$'].map((sign) => target.lastIndexOf(sign))) + 1)
  return name.replace(/\.\w{1,5}$/, '').replaceAll(/[-_]/g, ' ')
}
