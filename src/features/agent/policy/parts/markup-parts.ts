import { parseValue } from '../../../../site/code-config/parse-script.ts'
import { usesIn } from '../../../../site/restructured/uses.ts'
import { activeScheme, readEntities } from '../addresses.ts'
import { elementParts, rawElement } from './element-parts.ts'
import type { Attribute, Element, Reading } from './reading.ts'
import { readAsciidocCode } from './asciidoc-code.ts'
import { isPlainArgument } from './plain-arguments.ts'
import { isScript, scriptParts } from './code-parts.ts'
import {
  type Part,
  blanked,
  bringsMarkup,
  directivePart,
  hostParts,
  launchParts,
  lineAt,
  partOf,
  roleParts,
} from './part.ts'
import { endOfOdd, isNode, isPlainFormula } from './text-parts.ts'

const maxParts = 5000
const longest = 1_000_000

/** What reStructuredText and AsciiDoc do beside their plain forms. */
export function markupParts(path: string, text: string, reading: Reading): Part[] {
  const isAsciidoc = /\.adoc$/i.test(path)
  const whole = isAsciidoc ? withAttributes(text) : text
  const parts = [
    ...runningAddresses(text),
    ...(whole === text ? [] : runningAddresses(whole)),
    ...(isAsciidoc ? asciidocParts(text) : restructuredParts(text, reading)),
  ]
  return parts.slice(0, maxParts)
}

/** Its directives and roles. HTML in it is text. */
function restructuredParts(text: string, { ships, dialect, fileOf }: Reading): Part[] {
  const { roles, directives } = usesIn(docutilsText(text))
  const parts = roles.flatMap(({ name, text: content, line }) => {
    const role = name === '' ? dialect.defaultRole : name
    if (role === 'math') return formulaParts(content, line)
    return role === undefined ? [] : roleParts(role, content, line, ships)
  })
  for (const { name, argument, lines, line } of directives) {
    const source = `.. ${name}:: ${lines.join('\n')}`
    // A file of the site, shown as code: that it is one is judged as for all includes.
    const isShown =
      name === 'literalinclude' &&
      /^[\w./-]+$/.test(argument) &&
      lines.slice(1).every((one) => one.trim() === '' || plainOption.test(one))
    const isPlain = !bringsMarkup.test(name) && ships('directive', name.toLowerCase())
    if (!isShown && !isPlain) parts.push(directivePart(name, lines, source, line))
    // Its name may stand on the line below.
    if (/^(?:literal)?include$/i.test(name) && !argument.startsWith('<') && fileOf(argument) === undefined)
      parts.push(partOf('include', 'an include of what is no file of the site', argument, line))
    if (name === 'math') parts.push(...formulaParts(source, line))
    // An address may go over lines.
    if (/^(?:image|figure)$/.test(name)) parts.push(...hostParts(argument.replaceAll(/\s/g, ''), line))
    // Sphinx imports what these describe, and so runs it.
    if (/^auto(?!sectionlabel)/i.test(name)) {
      const [module = ''] = argument.split(/[.(\s]/)
      const what = `the directive ${name}, for which the build would import ${module}`
      parts.push({ key: `import of docs ${module}`, what, line, words: module })
    }
    if (parts.length > maxParts) break
  }
  return parts
}

/** A text as docutils sees it: more signs end its lines (control characters are held anyway), and tabs go on to every eighth column. */
function docutilsText(text: string): string {
  const lines = text.replaceAll(/[\f\v]/g, ' ').split(/[\n\u0085\p{Zl}\p{Zp}]/u)
  return lines
    .map((line) => {
      const [first = '', ...others] = line.split('\t')
      return others.reduce((whole, next) => whole + ' '.repeat(8 - (whole.length % 8)) + next, first)
    })
    .join('\n')
}

function formulaParts(formula: string, line: number): Part[] {
  const what = 'a formula that leads elsewhere, hides text or defines commands'
  return isPlainFormula(formula) ? [] : [partOf('formula', what, formula, line)]
}

const plainOption =
  /^[ \t]*:(?:language|lines|linenos|lineno-start|lineno-match|emphasize-lines|start-after|start-at|end-before|end-at|caption|dedent|tab-width|pyobject|name|class|force|encoding):/

const plainMacros =
  /^(?:link|xref|image|mailto|kbd|btn|menu|footnote|footnoteref|anchor|indexterm2?|stem|latexmath|asciimath|toc|icon|https?|ftp|irc|include|ifdef|ifndef|endif|term|abbr)$/
const plainStyles =
  /^(?:source|listing|literal|quote|verse|sidebar|example|abstract|partintro|horizontal|qanda|discrete|appendix|glossary|bibliography|index|colophon|dedication|preface|stem|latexmath|NOTE|TIP|IMPORTANT|CAUTION|WARNING|arabic|loweralpha|upperalpha|lowerroman|upperroman|tabs|[a-z]+doc|none|unstyled)?$/
const plainKeys =
  /^(?:cols|options|opts|format|separator|role|id|width|height|align|title|caption|start|linenums|language|frame|grid|stripes|reftext|indent|alt|window|float|scaledwidth|pdfwidth|rel|specialcharacters)$/
const plainEntries =
  /^(?:author|authors|email|revdate|revnumber|revremark|description|keywords|lang|toc|toclevels|toc-title|sectnums|sectnumlevels|sectanchors|sectlinks|idprefix|idseparator|doctype|experimental|icons|hardbreaks(?:-option)?|nofooter|table-caption|figure-caption|example-caption|page-[\w-]+|ur[il]-[\w-]+|version|[a-z]{1,3}|product(?:-?name)?|navtitle|tabsize|source-language|partnums|reproducible|compat-mode|url)$/

const deepest = 3

/** With the page's own attributes in the place of their names, as one may be put together from several. */
function withAttributes(text: string): string {
  const values = new Map(
    [...text.matchAll(/^:([\w-]{1,60}):[ \t]+(.{1,500})$/gm)].map(([, name = '', value = '']) => [
      name,
      value.trim(),
    ]),
  )
  let whole = text
  for (let depth = 0; depth < deepest && values.size > 0 && whole.length < longest; depth++)
    whole = whole.replaceAll(
      /\{([\w-]{1,60})\}/g,
      (reference, name: string) => values.get(name) ?? (name === 'empty' ? '' : reference),
    )
  return whole.slice(0, longest)
}

/** Its passthroughs, macros, block attributes and attributes of the document. */
function asciidocParts(text: string): Part[] {
  const parts: Part[] = []
  const what = 'what AsciiDoc may put into the page as it is'
  const lines = text.split('\n')
  const { code, odd } = readAsciidocCode(lines, (above) => above === '' || isPlainBlock(above))
  for (const [index, line] of lines.entries()) {
    const add = (kind: string, source = line) => parts.push(partOf(kind, what, source, index + 1))
    // With the lines around it, so that no other page has it known.
    if (odd.has(index)) add('block', lines.slice(Math.max(0, index - 3), index + 2).join('\n'))
    if (code.has(index)) continue
    if (/^\[.*\]\s*$/.test(line) && !line.startsWith('[[') && !isPlainBlock(line)) add('block')
    const [, name] = /^:!?([\w-]+)!?:/.exec(line) ?? []
    if (name !== undefined && (!plainEntries.test(name) || /["'][^"']*=/.test(line))) add('entry')
    if (/\+{2}|\$\$|\bpass:|\{(?:set|counter|eval)|\bsubs\b/.test(line)) add('passthrough')
    for (const [macro, kind = '', target = '', list = ''] of line.matchAll(
      /\b([a-z][\w-]{0,30})::?([^\s[\]]{0,2000})\[([^\]]{0,2000})\]?/g,
    )) {
      const isPlain = list
        .split(',')
        .every((piece) => !piece.includes('=') || isPlainValue(...splitAtSign(piece)))
      if (
        !isPlain ||
        !plainMacros.test(kind) ||
        /[{+]/.test(target) ||
        /\\|["']\s*on[a-z]+\s*=|subs/.test(list) ||
        (kind === 'image' && /\b(?:inline|interactive)\b/.test(list))
      )
        add('macro', macro)
      if (kind === 'image') parts.push(...hostParts(target, index + 1))
    }
    if (/\[\[[^\][\n"'<>=]*["'<>=[]|\[#[^\][\n,"'<>]*["'<>[]/.test(line)) add('anchor')
    if (!isPlainFormula(line)) add('formula')
    if (parts.length > maxParts) break
  }
  return parts
}

function splitAtSign(piece: string): [key: string, value: string] {
  const at = piece.indexOf('=')
  return [piece.slice(0, at).trim(), piece.slice(at + 1)]
}

/** A value of a list of attributes: what becomes one of an element as it is has no quotes in it. */
function isPlainValue(key: string, value: string): boolean {
  const inner = value.trim().replaceAll(/^["']|["']$/g, '')
  if (/^(?:title|caption|alt|reftext|cols)$/.test(key)) return !/[\\<]|["'][^"']*=/.test(inner)
  return !/["']/.test(inner) && isPlainArgument(inner)
}

function isPlainBlock(line: string): boolean {
  return line
    .trim()
    .slice(1, -1)
    .split(',')
    .every((piece, index) => {
      const [key = '', ...rest] = piece.trim().split('=')
      const [value] = rest
      if (value !== undefined) return plainKeys.test(key.trim()) && isPlainValue(key.trim(), rest.join('='))
      const word = piece.trim()
      return index === 0
        ? plainStyles.test(word.split(/[.#%]/, 1)[0] ?? '') || /^["'].*["']$/.test(word)
        : /^[\w\s.+#%"'|-]*$/.test(word) && !/pass/.test(word)
    })
}

/** Where a link of these notations has its address. */
const named = /(?:<|\blink:|^\.\. _[^:\n]{1,200}: )([a-z][a-z\d+-]{1,30}:[^\s>[\]]{1,2000})/gim

/** Addresses that run, wherever they stand: line ends and backslashes within do not count. */
function runningAddresses(text: string): Part[] {
  const plain = readEntities(text).replaceAll(/\\|\n[ \t]*/g, '')
  const addresses = [
    ...plain.matchAll(/(?<![\w-])(?:(?:java|vb)script:(?=\S)|data:(?:text\/html|image\/svg))\S{0,500}/gi),
  ]
  // What a role names is looked up, and opened by nothing.
  const linked = text.replaceAll(/:(?:[\w+.-]{1,30}:){1,3}`[^`]{0,1000}`/g, blanked)
  const launched = [...linked.matchAll(named)].flatMap((match) =>
    launchParts(match[1] ?? '', lineAt(text, match.index)),
  )
  const running = addresses.flatMap(([address]) => {
    const scheme = activeScheme(address)
    return scheme === undefined ? [] : [partOf('address', `an address of the scheme ${scheme}`, address, 1)]
  })
  return [...running, ...launched]
}

const maxTags = 5000
const nameAt = /<([A-Za-z][\w:.-]*)/y
const attributeAt =
  /\s+([^\s"'<>/={}]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`{}]+)|(\{\{?[\w\s:'",.%#-]{0,500}\}\}?)))?/y
const endAt = /\s*\/?>/y
const closingAt = /<\/[A-Za-z][\w:.-]*\s*>/y

/**
 * The tags of a piece of HTML, read by a strict grammar: what is written in any other way may mean something else to
 * another reader. `text` is what stands between them.
 */
export function htmlParts(source: string, line: number, reading: Reading): { parts: Part[]; text: string } {
  const parts: Part[] = []
  if (source.split('<').length > maxTags)
    return { parts: [partOf('markup', 'more markup than can be judged', source, line)], text: '' }
  let text = ''
  let at = 0
  let here = line
  const keep = (end: number, kept = source.slice(at, end)) => {
    text += kept
    here += kept.split('\n').length - 1
    at = end
  }
  const skip = (end: number) => keep(end, source.slice(at, end).replaceAll(/[^\n]/g, ' '))
  while (at < source.length) {
    const open = source.indexOf('<', at)
    if (open === -1) break
    keep(open)
    const end = commentEnd(source, open) ?? matchAt(closingAt, source, open)?.[1]
    if (end !== undefined) {
      skip(end)
      continue
    }
    const tag = readTag(source, open)
    if (tag === undefined) {
      if (/^<[A-Za-z/!?%]/.test(source.slice(open, open + 2)))
        parts.push(
          partOf(
            'tag',
            'markup that readers may take for different things',
            source.slice(open, endOfOdd(source, open)),
            here,
          ),
        )
      keep(at + 1)
      continue
    }
    const close = rawElement.test(tag.name)
      ? source.toLowerCase().indexOf(`</${tag.name.toLowerCase()}`, tag.end)
      : -1
    const stop = close === -1 ? tag.end : close
    const content = source.slice(tag.end, stop)
    const script = isScript(tag, reading) ? reading.scripts.get(content) : undefined
    parts.push(
      ...(script === undefined
        ? elementParts({ ...tag, source: source.slice(open, stop), content, line: here }, reading)
        : scriptParts(script, content, here, reading)),
    )
    skip(stop)
  }
  return { parts, text: text + source.slice(at) }
}

function matchAt(
  pattern: RegExp,
  source: string,
  at: number,
): [found: RegExpExecArray, end: number] | undefined {
  pattern.lastIndex = at
  const match = pattern.exec(source)
  return match === null ? undefined : [match, pattern.lastIndex]
}

interface Tag extends Pick<Element, 'name' | 'attributes'> {
  start: number
  end: number
  isClosing: boolean
}

/** The tags of a text that are written so that every reader takes them for the same. */
export function tagsIn(text: string): Tag[] {
  const tags: Tag[] = []
  for (
    let start = text.indexOf('<');
    start !== -1 && tags.length < maxTags;
    start = text.indexOf('<', start + 1)
  ) {
    const end = matchAt(closingAt, text, start)?.[1]
    const tag = end === undefined ? readTag(text, start) : { name: '', attributes: [], end }
    if (tag !== undefined) tags.push({ ...tag, start, isClosing: end !== undefined })
  }
  return tags
}

function readTag(
  source: string,
  open: number,
): (Pick<Element, 'name' | 'attributes'> & { end: number }) | undefined {
  const name = matchAt(nameAt, source, open)
  if (name === undefined) return undefined
  const attributes: Attribute[] = []
  let [, at] = name
  for (
    let next = matchAt(attributeAt, source, at);
    next !== undefined;
    next = matchAt(attributeAt, source, at)
  ) {
    const [found, end] = next
    const value = found[2] ?? found[3] ?? found[4]
    const [whole, name = '', , , , code] = found
    const parsed = code === undefined ? undefined : parseValue(code.slice(1, -1))
    attributes.push(
      code === undefined
        ? { name, value: value && readEntities(value), source: whole }
        : { name, expression: isNode(parsed) ? parsed : 'none', source: whole },
    )
    at = end
  }
  const end = matchAt(endAt, source, at)
  return end && { name: name[0][1] ?? '', attributes, end: end[1] }
}

/** Where a comment ends that every reader ends there; undefined for any other. */
export function commentEnd(source: string, open: number): number | undefined {
  if (!source.startsWith('<!--', open) || /^-?>/.test(source.slice(open + 4, open + 6))) return undefined
  const end = source.indexOf('-->', open + 4)
  const inner = source.slice(open + 4, end)
  return end === -1 || inner.includes('--!>') || inner.includes('<!--') ? undefined : end + 3
}
