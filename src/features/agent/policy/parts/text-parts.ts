import type { PageDialect } from '../../../../site/pages/dialect.ts'
import { activeScheme, hostsOf } from '../addresses.ts'
import { hidingClasses } from './hiding-names.ts'
import { languages } from './inert-names.ts'
import {
  bringsMarkup,
  directivePart,
  hostPart,
  lineAt,
  type Part,
  partOf,
  roleParts,
  shown,
  type Ships,
} from './part.ts'

const shipsNothing: Ships = () => false

/** What stands between backticks from an offset on. */
function contentOf(text: string, at: number): string {
  return /^`+([^`]{0,500})/.exec(text.slice(at, at + 600))?.[1] ?? ''
}

/** A line of a paragraph that begins with one of these is taken for more than text by some renderer. */
const lineSign =
  /^(?::{2}|[!?/]{3}|\+{3}|<{2}|%{2}|-*8<-|#\+|\.\.[ \t]|!\w|[@#][\w-]*["'(<[{]|@(?:include|import|embed|snippet|verbinclude|dontinclude|htmlinclude)\w*[ \t]|#[\w-]*[ \t]["'(<[{]|[\w.#-]{1,80}\([\w:@-]{1,80}[ \t]?=|%[ \t]?\w[^:(]{0,200}[:(]|\|[=-]|={3}[ \t]*[^"\s=]|-{3}\w|~{3,}|`{3,})/
/** What makes of a block of code more than code. */
export const runningWord = /^(?:live|exec|eval|run|pyodide|monaco)\b/i
/** An address within the site in Jekyll's templates, which put the site's base path before it. */
export const siteAddress =
  /^\{\{-?\s*(?:"\/(?!\/)[\w./#?=-]*"|'\/(?!\/)[\w./#?=-]*')\s*\|\s*(relative_url|absolute_url)\s*\}\}[\w./#?=-]*$/
/** A choice of words or a type: to browsers an element of a name that nobody can define, and words without values. */
const unknownElement = /^<[A-Za-z][\w-]{0,50}[,|\\][^<>="'`{}&/]{0,1000}>/
/** The name of a directive, to which a list of attributes belongs. */
const directive = /:[A-Za-z][\w-]{0,100}(?:\[[^\]\n]{0,300}\])?$/
/** What is in braces, with nothing that computes, calls, assigns or names another file. */
const plainBraces = /^(?![<>&+])[\p{L}\p{N}\s_"',:.|*$?<>&[\]+-]*$/u
/** No expression and no list of attributes begins so: it is a type, with its line ends as two signs. */
const plainType = /^\s*\\n(?:(?!\{[%{#])[^`<])*$/
/** Data as JSON writes it, which nobody takes for an expression or a list of attributes. */
const plainData = /^\s*"[^"\n]{1,100}"\s*:(?:(?!\{[%{#]|=>)[^()`<=\\$])*$/
/** Marks of an editor (CriticMarkup) around a text. Expressions cannot begin so, but for those of `++` and `--`. */
const criticMarks = /^(?:([+]{2}|-{2})([^]*)\1|(?:={2}[^]*={2}|>{2}[^]*<{2}|~~[^]*~~))$/
const attribute = /\s*(?:[#.][\w:.-]+|([\w:@.-]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"'{}]+)))?)/y

/**
 * What of a paragraph's text may act for some renderer. Code, tags, addresses and escaped signs have been blanked before.
 * `hostsIn` judges an attribute that a list gives to an element: undefined for one that is not inert, else the parts for
 * the hosts that it loads from. `raw` is the same text with its code.
 */
export function textParts(
  text: string,
  line: number,
  {
    dialect,
    hostsIn,
    ships = shipsNothing,
    raw = text,
  }: {
    dialect: Pick<PageDialect, 'vue' | 'templates'> & Partial<Pick<PageDialect, 'python'>>
    hostsIn: (name: string, value: string, isComponent: boolean) => Part[] | undefined
    ships?: Ships
    raw?: string
  },
): Part[] {
  const parts: Part[] = []
  const add = (kind: string, what: string, source: string, at: number) =>
    parts.push(partOf(kind, what, source, line + lineAt(text, at) - 1))
  let at = 0
  for (const one of text.split('\n')) {
    const start = raw.slice(at, at + one.length).replace(/^[\s>|]+/, '')
    if (lineSign.test(one.replace(/^[\s>|]+/, '')) || /^@\w*\[/.test(start)) {
      const [, figure] = /\{?(?:image|figure)\}?[ \t]+(\S+)/.exec(start) ?? []
      const part = figure === undefined ? blockPart(start, ships, dialect.python === true) : undefined
      const here = line + lineAt(text, at) - 1
      if (part !== undefined) parts.push({ ...part, line: here })
      for (const host of hostsOf(figure ?? '')) parts.push(hostPart(host, here))
    }
    const [, option = ''] = /^[\s>]*:[\w-]{1,50}:[ \t]+(\S.*)$/.exec(one) ?? []
    if (activeScheme(option) !== undefined)
      add('address', 'an option with an address that runs', one.trim(), at)
    at += one.length + 1
  }
  const braced = withoutFormulas(text)
  for (let open = braced.indexOf('{'); open !== -1;) {
    const end = endOfBraces(braced, open)
    const source = text.slice(open, end ?? open + 300)
    const isTemplate = /^\{[{%]/.test(source) && (dialect.templates !== 'none' || dialect.vue)
    if (end === undefined) {
      if (!isTemplate && !/^\{#?[\w\s-]*$/.test(text.slice(open)))
        add('braces', 'braces without an end', source.split('\n', 1)[0] ?? '', open)
      break
    }
    const within = source.slice(1, -1)
    const inner = within.startsWith('{') ? within : withoutPlainBraces(within)
    const isMarked = isPlainMark(inner)
    if (text[end] === '`' && /^[\w:.+-]*$/.test(inner.trim())) {
      parts.push(...roleParts(inner, contentOf(raw, end), line + lineAt(text, open) - 1, ships))
    } else if (
      !isTemplate &&
      !isMarked &&
      !(
        (plainBraces.test(inner) || plainData.test(inner) || plainType.test(inner)) &&
        !/[#!@%]/.test(text[open - 1] ?? '')
      )
    ) {
      const isComponent = directive.test(text.slice(Math.max(0, open - 400), open))
      const hosts = attributeListParts(raw.slice(open + 1, end - 1), dialect.vue, (name, value) =>
        hostsIn(name, value, isComponent),
      )
      if (hosts === undefined)
        add('braces', 'braces that some renderer takes for more than text', source, open)
      else parts.push(...hosts.map((part) => ({ ...part, line: line + lineAt(text, open) - 1 })))
    }
    open = braced.indexOf('{', isMarked ? open + 1 : end)
  }
  for (const match of text.matchAll(/<(?!(?<=\{\{<)\/\*)[A-Za-z/!?%]/g)) {
    // A call without a blank is judged with the others.
    if (dialect.templates === 'shortcodes' && text.startsWith('{{', match.index - 2)) continue
    if (unknownElement.test(raw.slice(match.index, match.index + 2000))) continue
    add(
      'tag',
      'what some readers take for a tag',
      text.slice(match.index, endOfOdd(text, match.index)),
      match.index,
    )
  }
  for (const match of text.matchAll(/(?<![\w:`]):([a-z][\w+:-]{0,60}?)(?::(?=`)|(?=[[{]))/gi))
    // What is given to one of a name that the site has is judged as a list of attributes. A name that a colon ends is an icon.
    if (text[match.index + match[0].length] !== '`') {
      const [name = ''] = [match[1]]
      if (name.endsWith(':') || name === 'kbd' || ships('directive', name)) continue
      const what = `the directive :${name}, which no page has`
      parts.push({ key: `directive :${name}`, what, line: line + lineAt(text, match.index) - 1, words: name })
    } else {
      const content = contentOf(raw, match.index + match[0].length)
      parts.push(...roleParts(match[1] ?? '', content, line + lineAt(text, match.index) - 1, ships))
    }
  for (let open = text.indexOf('[['); open !== -1; open = text.indexOf('[[', open + 2)) {
    const inner = text.slice(open + 2, open + 500).split(']]', 1)[0] ?? ''
    if (text[open - 1] === '!' || /["'{}<>:;=`@]/.test(inner))
      add(
        'wiki',
        'a reference that some renderers put in its place',
        `${text[open - 1] ?? ''}[[${inner.split('\n', 1)[0] ?? ''}`,
        open,
      )
  }
  for (const match of raw.matchAll(/![<>=^]{0,2}((?:[a-z]{2,20}:)?\/\/[^\s!]{1,500})/gi))
    for (const host of hostsOf(match[1] ?? ''))
      parts.push(hostPart(host, line + lineAt(text, match.index) - 1))
  // Code may stand in a formula where something can begin one.
  const formulas = /\$|\\\\?[([]|\\begin\b|:[\w:]{0,20}math:?`|\{\w{0,20}math\}/.test(raw) ? raw : text
  if (!isPlainFormula(formulas))
    add('formula', 'a formula that leads elsewhere, hides text or defines commands', raw, 0)
  return parts
}

/** Where what looks like a tag ends for every reader: at a sign outside of quotes. */
export function endOfOdd(source: string, open: number): number {
  let quote = ''
  const last = Math.min(source.length, open + 2000)
  for (let at = open; at < last; at++) {
    const sign = source[at] ?? ''
    if (quote === '' && sign === '>') return at + 1
    if (sign === '"' || sign === "'") quote = quote === '' ? sign : quote === sign ? '' : quote
  }
  return last
}

/** TeX in which no argument is an address or a style, and nothing is defined. */
export function isPlainFormula(text: string): boolean {
  if (!/\\[A-Za-z]/.test(text)) return true
  if (/\\(?:[gex]?def|let|(?:re)?newcommand|csname|catcode|require|html[A-Z]\w*|[hv]?phantom)\b/.test(text))
    return false
  if (/\\(?:text)?color\s{0,9}\{?\s{0,9}(?:white|transparent|#f{3})/i.test(text)) return false
  return text
    .split(/\\[A-Za-z]+\s?\{/)
    .slice(1)
    .every((piece) => !/\w:[^\s\\]|\/\//.test(piece.split('}', 1)[0] ?? ''))
}

const formula = /(?<![\\$])\$\$[^$]{1,10000}\$\$|(?<![\\$])\$(?=[^\s$])[^$\n]{1,1000}\$/g
/** Names of more than a letter that are called, assigned to or asked for a field: what code does and formulas rarely do. */
const computing =
  /["'`]|=>|\(\)|<[A-Za-z/!?]|\{[{%#]|(?<![\\\w])[A-Za-z_]\w+\s{0,20}(?:[([]|=(?!=)|\.[A-Za-z])|[\])}]\s{0,20}\.[A-Za-z]|[\])]\s{0,20}\(/

/** The text with no braces in its formulas: those whose braces do nothing to who takes them for no formulas either. */
export function withoutFormulas(text: string): string {
  return text.replaceAll(formula, (source) =>
    computing.test(source) || !isPlainFormula(source) || unbalanced(source)
      ? source
      : source.replaceAll(/[{}]|<(?![A-Za-z/!?])/g, ' '),
  )
}

function unbalanced(source: string): boolean {
  return source.split('{').length !== source.split('}').length
}

const deepest = 5

/** A line without the braces that end in it and hold words or a type. */
export function withoutPlainBraces(line: string): string {
  let text = line
  for (let depth = 0; depth < deepest; depth++)
    text = text.replaceAll(/\{([^{}]*)\}/g, (braces, inner: string) =>
      plainBraces.test(inner) || plainType.test(inner) ? ' ' : braces,
    )
  return text
}

/** Whether braces mark a text as added, removed, replaced, highlighted or commented on, whoever reads them. */
function isPlainMark(inner: string): boolean {
  const marks = criticMarks.exec(inner)
  return (
    marks !== null &&
    !/[<{}`]/.test(inner.replaceAll(/~>|<</g, '')) &&
    (marks[1] === undefined || plainBraces.test(marks[2] ?? ''))
  )
}

/** Blocks whose words are a title: a paragraph, and judged as one. */
const titled =
  /^(?:note|warning|tip|important|hint|caution|attention|danger|error|info|success|question|failure|bug|example|quote|details)$/i

/** A line that opens a block of some dialect; undefined when it only formats what is in it. */
function blockPart(line: string, ships: Ships, isOfPython: boolean): Omit<Part, 'line'> | undefined {
  // The kinds of these are classes, their words titles.
  if (/^(?:!{3}|\?{3}\+?)[ \t]+\w[\w: -]*(?:"[^"]*")?$|^={3}[!+]?[ \t]*"[^"]*"$/.test(line.trimEnd()))
    return undefined
  // The title of a tab or a section.
  if (/^={3}[ \t]\p{L}[\p{L}\p{N} ]*$/u.test(line)) return undefined
  const [, marker = '', name = '', rest = ''] =
    /^(:{2,40}|\/{3,40}|\+{3,40})[ \t]*(?:\{?([\w.-][\w:.-]{0,100})\}?)?(.*)$/.exec(line) ?? []
  if (marker !== '' && name === '' && rest.trim() === '') return undefined
  const plain = rest
    .replace(/^\[[^\]]*\]/, '')
    .replace(/^\{[^{}]*\}/, '')
    .replaceAll(/`[^`<>{}]*`/g, '')
  const isText = !/[={}<`/\\]|\||\.(?!\d)\w/.test(plain)
  // VitePress shows a file; that it is one of the site is judged as for all includes.
  if (
    /^<<<[ \t]*[^\s{[<>|]+(?:[ \t]?\{[\d,-]*[ \t]?(?:[a-z]{1,12}(?::(?:no-)?line-numbers(?:=\d+)?)?)?\})?(?:[ \t]?\[[^\][<{`]*\])?$/.test(
      line.trimEnd(),
    ) &&
    !runningWord.test(/\{[\d,\s-]*([a-z]*)/.exec(line)?.[1] ?? '')
  )
    return undefined
  const isTitle = marker.startsWith(':::') && titled.test(name) && !plain.includes('`')
  if (
    marker.length > 1 &&
    ships('directive', name.toLowerCase()) &&
    !(/^:+[ \t]*\{/.test(line) && bringsMarkup.test(name)) &&
    (isText || isTitle || /^\s*[[{|]/.test(rest))
  )
    return undefined
  // A fence where only some renderer sees one.
  const [, language] = /^(?:`{3,}|~{3,})([\w+.#-]*)(?:[ \t]\[[^\][{}<`]*\])?$/.exec(line.trimEnd()) ?? []
  if (language !== undefined && (language === '' || languages.has(language.toLowerCase()))) return undefined
  const what = 'a line that some renderer takes for a directive'
  // The documentation of one more module is nothing new.
  const isModule = marker === ':::' && /^[A-Za-z_]\w*(?:\.\w+)+$/.test(name) && rest === ''
  if (isModule) return { key: 'directive :::', what: `${what}: ${shown(line)}` }
  if (name !== '' && isText) {
    const { degree, ...part } = directivePart(name, [plain], line, 0)
    // What is given to blocks of Python-Markdown stands below, and their plug-ins run what they like.
    return degree === undefined || isOfPython || marker[0] !== ':' ? part : { ...part, degree }
  }
  return partOf('directive', what, line, 0)
}

/** Undefined for what is no list of inert attributes. */
function attributeListParts(
  inner: string,
  vue: boolean,
  hostsIn: (name: string, value: string) => Part[] | undefined,
): Part[] | undefined {
  const parts: Part[] = []
  const list = (vue ? inner : inner.replace(/^:/, '')).trim()
  for (let at = 0; at < list.length;) {
    attribute.lastIndex = at
    const match = attribute.exec(list)
    if (match === null || match[0] === '') return undefined
    if (/^\s*\./.test(match[0]) && hidingClasses([match[0].trim().slice(1)]).length > 0) return undefined
    const [whole, name, double, single, bare] = match
    const hosts = name === undefined ? [] : hostsIn(name, double ?? single ?? bare ?? '')
    if (hosts === undefined) return undefined
    parts.push(...hosts)
    at += whole.length
  }
  return parts
}

/** Just behind the brace that closes the one at an offset. */
function endOfBraces(text: string, open: number): number | undefined {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return at + 1
  }
  return undefined
}

/** A node of an ESTree program, as untrusted as its source. */
export interface SyntaxNode {
  type: string
  [field: string]: unknown
}

export function nodesIn(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
