import { activeScheme, hostsOfSet, isPlainPicture, readEntities } from '../addresses.ts'
import { elementParts } from './element-parts.ts'
import type { Reading } from './reading.ts'
import { drawn, languages, plainWord } from './inert-names.ts'
import { runningName } from './plain-arguments.ts'
import { htmlParts, markupParts, tagsIn } from './markup-parts.ts'
import { type Part, blanked, directivePart, hostPart, hostParts, lineAt, partOf, shown } from './part.ts'
import { isPlainFormula, runningWord, textParts, withoutPlainBraces } from './text-parts.ts'

/** The lines on which fences begin and end for who reads line by line. */
export function fencesOf(text: string): Map<number, number> {
  const fences = new Map<number, number>()
  let open: { marker: string; line: number } | undefined
  let line = 0
  for (const one of text.split('\n')) {
    line++
    if (open === undefined) {
      const marker = /^[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t>]+)*(`{3,}(?=[^`]*$)|~{3,})/.exec(one)?.[1]
      if (marker !== undefined) open = { marker, line }
    } else if (one.includes(open.marker)) {
      const rest = one.replace(/^[ \t>]+/, '').trimEnd()
      if (!rest.startsWith(open.marker) || rest !== (open.marker[0] ?? '').repeat(rest.length)) continue
      fences.set(open.line, line)
      open = undefined
    }
  }
  return fences
}

/**
 * Whether what templates, formulas and containers take out of a page leaves a block of code whole: comments and statements
 * end where they began, and no formula and no container ends in it.
 */
export function isWhole(value: string, before: string, isTemplate: boolean): boolean {
  if (/^[ \t>]*\$\$/m.test(value) && /^[ \t>]*\$\$/m.test(before)) return false
  if (/^[ \t>]*:{3,}[ \t]*$/m.test(value)) {
    let containers = 0
    for (const [, name] of before.matchAll(/^[ \t>*+-]*:{3,}[ \t]*([^\s:]?)/gm))
      containers = name === '' ? Math.max(0, containers - 1) : containers + 1
    if (containers > 0) return false
  }
  if (!isTemplate) return true
  const open = new Map<string, number>()
  const signs = /\{(?:[%{]?[%<]-?\s{0,20}(\/|end)?\s?([\w.-]{0,100})|#|:(?::|(\/)))|#(\})/g
  for (const [, end, name = '#', slash, brace] of value.matchAll(signs)) {
    const left = (open.get(name) ?? 0) + ((end ?? slash ?? brace) === undefined ? 1 : -1)
    if (left < 0) return false
    open.set(name, left)
  }
  return true
}

/** What no reader that is known here can parse: every line with a sign that any of them could act on, outside of fences. */
export function rawParts(text: string, line: number): Part[] {
  const parts: Part[] = []
  const lines = text.split('\n')
  const fences = fencesOf(text)
  let [end, depth] = [0, 0]
  for (const [index, one] of lines.entries()) {
    if (index + 1 <= end) continue
    // One within braces or a tag is none.
    if (depth === 0 && !/["'`={(]$/.test(lines[index - 1] ?? '')) end = fences.get(index + 1) ?? 0
    depth += one.split('{').length - one.split('}').length
    // All parsers end inline code at the end of its heading.
    const source = (
      depth === 0 && /^#{1,6} [^`]/.test(one) ? one.replaceAll(/(?<!`)`[^`]+`(?!`)/g, '``') : one
    ).replaceAll('\\|', ' |')
    const isText =
      textParts(source, 1, { dialect: { vue: false, templates: 'none' }, hostsIn: () => undefined })
        .length === 0
    if (
      !isText ||
      /<|!\[|script:|data:|^\s*(?:import|export)\b/i.test(source) ||
      withoutPlainBraces(source).includes('{')
    )
      parts.push(partOf('raw', 'a line of a page that cannot be read as one', one, line + index))
    if (parts.length > 20_000) break
  }
  return parts
}

const meta =
  /\s*(?:(\{)([^{}\n]*)\}|\[[^{}<`\n]*\]|"[^"\n]*"(?=\s|$)|'[^'\n]*'(?=\s|$)|title="[^"'{}<>`\n]*$|\/[^/\n]+\/|:[\w-]+(?:=\d+)?|([^\s={}"'`<]+)(?:=(?:"[^"\n]*"|'[^'\n]*'|\{[^{}()<>=`\n]*\}|([^\s"'{}<]+)))?(?:,|(?=\s|$)))/y

/** Whether a line of a table of contents of Sphinx is no more than an option, a page, or `Title <page>`. */
function isTreeEntry(line: string): boolean {
  const entry = line.trim()
  if (entry.startsWith(':')) return !/[<>{}]/.test(entry)
  const open = entry.indexOf('<')
  const target = open === -1 ? entry : entry.slice(open + 1, entry.endsWith('>') ? -1 : undefined)
  const title = entry.slice(0, Math.max(0, open))
  return open !== 0 && !/[<>`{}]/.test(title) && /^(?:https?:\/\/)?[\w./#*?~@%+-]*$/.test(target)
}

/** What the words behind a fence make of its content; `isMarkup` when it is read on. */
export function infoParts(
  info: string,
  value: string,
  source: string,
  line: number,
  reading: Reading,
): { parts: Part[]; isMarkup: boolean } {
  const plain = { parts: [], isMarkup: false }
  if (info === '') return plain
  const braced = /^\{([A-Za-z][\w:+-]{0,60})\}(.*)$/.exec(info)
  const running = partOf('fence', 'a code block that runs or takes something in', source, line)
  if (braced !== null) {
    const [, name = '', argument = ''] = braced
    if (name === 'math') return drawing(value, source, line, reading)
    if (name === 'eval-rst') return { parts: markupParts('page.rst', value, reading), isMarkup: false }
    if (name === 'toctree') {
      // Sphinx makes a link of whatever has a scheme.
      const lines = value.split('\n')
      const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1
      const isPlain =
        lines.slice(1, Math.max(1, end)).every((option) => /^[\w-]{1,40}:[^<>{}]{0,200}$/.test(option)) &&
        lines.slice(end + 1).every(isTreeEntry)
      return { parts: isPlain ? reading.read(argument, line) : [running], isMarkup: false }
    }
    const scheme = activeScheme(argument)
    if (scheme !== undefined && !isPlainPicture(argument))
      return {
        parts: [partOf('address', `an address of the scheme ${scheme}`, argument, line)],
        isMarkup: true,
      }
    return reading.ships('directive', name) && !name.startsWith('raw')
      ? {
          parts: [
            ...reading.read(argument, line),
            ...(/^(?:image|figure)/.test(name) ? hostParts(argument, line) : []),
          ],
          isMarkup: !/^(?:code|code-block|sourcecode|parsed-literal)$/.test(name),
        }
      : { parts: [directivePart(name, [argument, ...value.split('\n')], source, line)], isMarkup: false }
  }
  const list = info.startsWith('{') ? info.slice(1, info.endsWith('}') ? -1 : undefined).trim() : info
  const [, language = '', rest = ''] =
    /^\.?(?:([\w+#./-]+)(?:,|:(?=\s|$)|(?=[\s{[:]|$)))?(.*)$/.exec(list) ?? []
  if (language === '' && rest === '') return { parts: [running], isMarkup: false }
  const name = language.replace(/-vue$/, '').toLowerCase()
  if (name === 'mdx-code-block') return { parts: [], isMarkup: true }
  const parts: Part[] = []
  // Docusaurus takes this word for one wherever blanks are around it: within a title as well.
  if (reading.dialect.titles !== true && /(?<!\S)live(?!\S)/.test(readEntities(rest)) && /[(<=`]/.test(value))
    parts.push(running)
  for (const word of unknownWords(rest, reading)) {
    const [, mark] = /^(@?[a-z][\w-]*)(?:=(?:[\w.,/-]*|"[\w.,/ -]*"|\[[\d,]*\]))?$/i.exec(word) ?? []
    parts.push(
      mark !== undefined && !runningWord.test(mark) && !runningName.test(mark)
        ? {
            key: `fence ${mark}`,
            what: `a code block marked ${mark}, which no page has`,
            line,
            degree: 'look',
            words: mark,
          }
        : partOf('fence', 'a code block that may run', `${info}\n${value}`, line),
    )
  }
  if (drawn.test(name.replace(/^kroki-/, '')))
    return { parts: [...parts, ...drawing(value, source, line, reading).parts], isMarkup: false }
  // A file's name, or what is known to be only coloured.
  if (
    name !== '' &&
    !languages.has(name) &&
    !/[./]/.test(name) &&
    !(reading.dialect.titles === true && /^[A-Z]/.test(language))
  )
    parts.push(
      runningName.test(name) || /<[A-Za-z/!]/.test(rest)
        ? running
        : {
            key: `language ${name}`,
            what: `a code block of the kind ${shown(language)}, which no page has`,
            degree: 'look',
            line,
            words: language,
          },
    )
  return { parts, isMarkup: false }
}

/** What stands behind a language and is not known to change only how code is shown. */
function unknownWords(text: string, reading: Reading): string[] {
  const words: string[] = []
  const rest = text.trimEnd()
  for (let at = 0; at < rest.length;) {
    meta.lastIndex = at
    const match = meta.exec(rest)
    if (match === null || match[0] === '') return [...words, rest.slice(at)]
    const [whole, list, inner = '', word] = match
    if (list !== undefined && !/^[\d\s,-]*$/.test(inner)) words.push(...unknownWords(inner, reading))
    const isAlone = !whole.includes('=')
    const isName = isAlone && /^[\w@/-]*\.\w[\w./-]*$|^[A-Z][\w.-]*$|^[\d,-]+$|^[.#][\w-]+$/.test(word ?? '')
    const isTitle = isAlone && reading.dialect.titles === true && !runningWord.test(word ?? '')
    const plain = word?.replace(/^[.#]/, '') ?? ''
    if (plain !== '' && !plainWord.test(plain) && !isName && !isTitle)
      words.push(isAlone ? plain : whole.trim().replace(/,$/, ''))
    at += whole.length
  }
  return words
}

/** A drawing or a formula, read for what leads, loads or runs. */
function drawing(
  value: string,
  source: string,
  line: number,
  reading: Reading,
): { parts: Part[]; isMarkup: boolean } {
  const plain = readEntities(value)
  const hosts = plain.split(/[\s"'<>()[\]{}|=]+/).flatMap((word) => {
    const at = word.indexOf('//')
    return at === -1 ? [] : hostsOfSet(word.slice(Math.max(0, word.lastIndexOf(':', at) - 10, 0)))
  })
  const parts = [...new Set(hosts)].map((host) => hostPart(host, line))
  const acts =
    /^[ \t]*(?:click|link|links|callback|href)\b|^[ \t]*!|%[a-z]\w{1,60}\s?\(|%%\{|(?:java|vb)script:|data:text|@\{|@import|url\s{0,20}\(|\$\w{1,50}\(|\[\[[^\]\n]{0,300}:|\]\]\(/im
  if (acts.test(plain) || !isPlainFormula(plain))
    parts.push(partOf('drawing', 'a drawing that leads or reads elsewhere', source, line))
  parts.push(...htmlParts(plain.replaceAll(/<(?=[-=.|<])|<(?![A-Za-z/!?])/g, ' '), line, reading).parts)
  return { parts, isMarkup: false }
}

/** Tags, judged on their own, for MDX that does not parse because they are not closed where it wants them to be. */
export function withoutTags(
  text: string,
  { lines, reading, parts }: { lines: number; reading: Reading; parts: Part[] },
): string {
  let plain = text
  for (const tag of tagsIn(text)) {
    const source = text.slice(tag.start, tag.end)
    const line = lines + lineAt(text, tag.start)
    const elements = tag.isClosing ? [] : elementParts({ ...tag, source, line }, reading)
    // Elements that documents do not use stay in the text and are judged with their content.
    if (elements.some(({ key }) => /^(?:element|frame) /.test(key))) continue
    parts.push(...elements)
    plain = plain.slice(0, tag.start) + blanked(source) + plain.slice(tag.end)
  }
  return plain
}
