import { blankAt, fence, type OutLine, prefixed } from '../markdown/write-blocks.ts'
import { atStart, escaped } from '../markdown/write-text.ts'
import { listOf } from './attributes.ts'
import { altOf, printInline } from './inline.ts'
import { markOf, printList } from './lists.ts'
import {
  type Above,
  type Cursor,
  delimiterOf,
  isBlank,
  isComment,
  type Line,
  maxDepth,
  readAbove,
  readDelimited,
  type Reading,
} from './reading.ts'
import { printTable } from './tables.ts'

const admonition = /^(NOTE|TIP|IMPORTANT|WARNING|CAUTION)(?::\s+|$)/
const heading = /^(={1,6}|#{1,6})\s+(\S.*)$/

/** The blocks of a page as Markdown. */
export function printBlocks(lines: readonly Line[], reading: Reading, depth: number): OutLine[] {
  const cursor: Cursor = { lines, at: 0 }
  const out: OutLine[] = []
  while (cursor.at < lines.length) {
    const start = cursor.at
    const own = printNext(cursor, reading, depth)
    // Whatever a line is, it is read once.
    if (cursor.at === start) cursor.at++
    if (own.length === 0) continue
    if (out.length > 0) out.push(blankAt(own))
    for (const line of own) out.push(line)
  }
  return out
}

function printNext(cursor: Cursor, reading: Reading, depth: number): OutLine[] {
  if (isBlank(cursor.lines[cursor.at])) {
    cursor.at++
    return []
  }
  const above = readAbove(cursor, reading)
  const line = cursor.lines[cursor.at]
  if (line === undefined || isBlank(line)) return marked(above, [], reading, line?.index ?? 0)
  const { text, index } = line
  const title = heading.exec(text)
  if (title !== null && (depth === 0 || /^(?:discrete|float)$/.test(above.style))) {
    cursor.at++
    return printHeading(
      title[2] ?? '',
      (title[1]?.length ?? 1) +
        reading.offsetOf(index) +
        (Number(reading.attributes.get('leveloffset')) || 0),
      { above, index },
      reading,
    )
  }
  const block = delimiterOf(text)
  if (block !== undefined) {
    cursor.at++
    const body = readDelimited(cursor, block.close)
    return marked(above, printDelimited(block, body, { above, index }, reading, depth), reading, index)
  }
  const macro = /^(image|video|audio|toc|xref|include)::([^[\]]{0,1500})\[(.*)\]\s*$/.exec(text)
  if (macro !== null) {
    cursor.at++
    return marked(above, printBlockMacro(macro, index, above, reading), reading, index)
  }
  if (/^(?:'{3,}|-{3}|\*{3})$/.test(text)) {
    cursor.at++
    return [{ text: '---', index }]
  }
  if (text === '<<<' || text === '+') {
    cursor.at++
    return []
  }
  if (markOf(text) !== undefined && !isOneBlock(above.style) && depth < maxDepth)
    return marked(above, printList(cursor, reading, depth), reading, index)
  return marked(above, printParagraph(cursor, above, reading, depth), reading, index)
}

const isOneBlock = (style: string) => /^(?:source|listing|literal|pass|stem|verse|comment)$/.test(style)

function printHeading(
  source: string,
  level: number,
  { above, index }: { above: Above; index: number },
  reading: Reading,
): OutLine[] {
  const { markdown, plain } = printInline(source.trim(), reading.inline)
  const printed = plain.replaceAll('\n', ' ')
  const isTitle = level <= 1 && reading.title.text === undefined
  if (isTitle) {
    reading.title.text = printed
    for (const id of above.ids) reading.ids.set(id, above.reftext ?? printed)
    const [id] = above.ids
    return [{ text: `# ${markdown.replaceAll('\n', ' ')}${id === undefined ? '' : ` {#${id}}`}`, index }]
  }
  const isNamed = reading.attributes.get('sectids') !== undefined
  const [id = isNamed ? reading.ids.make(plain, reading.attributes) : '', ...others] = above.ids
  if (id !== '') reading.ids.set(id, above.reftext ?? printed)
  for (const other of others) reading.ids.set(other, above.reftext ?? printed)
  const own = {
    text: `${'#'.repeat(Math.max(1, Math.min(6, level)))} ${markdown.replaceAll('\n', ' ')}${id === '' ? '' : ` {#${id}}`}`,
    index,
  }
  return others.length === 0
    ? [own]
    : [{ text: others.map((other) => `{#${other}}`).join(' '), index }, { text: '', index }, own]
}

/** A block with its title and its ids above it. */
function marked(above: Above, own: OutLine[], reading: Reading, index: number): OutLine[] {
  const title = above.title === undefined ? undefined : printInline(above.title, reading.inline)
  for (const id of above.ids) reading.ids.set(id, above.reftext ?? title?.plain)
  if (own.length === 0) return []
  const parts: OutLine[][] = []
  if (above.ids.length > 0) parts.push([{ text: above.ids.map((id) => `{#${id}}`).join(' '), index }])
  const isInside = own[0]?.text.startsWith('> [!') === true
  if (title !== undefined && title.plain !== '' && !isInside)
    parts.push([{ text: title.markdown.includes('**') ? title.markdown : `**${title.markdown}**`, index }])
  parts.push(own)
  return parts.flatMap((part, at) => (at === 0 ? part : [blankAt(part), ...part]))
}

interface Place {
  above: Above
  index: number
}

function printDelimited(
  { kind, close, language }: { kind: string; close: string; language: string },
  body: readonly Line[],
  place: Place,
  reading: Reading,
  depth: number,
): OutLine[] {
  const { above, index } = place
  const inner = () => (depth < maxDepth ? reading.blocks(body, depth + 1) : [])
  const note = admonition.exec(above.style)?.[1]
  if (kind === '//' || above.style === 'comment') return []
  if (kind === '++') return /^(?:stem|latexmath|asciimath)$/.test(above.style) ? fence(body, 'math') : []
  if (/^[|,:!]=/.test(close)) return printTable(body, close, above, reading, depth)
  const isCode =
    kind === '``' ||
    close.startsWith('---') ||
    close.startsWith('...') ||
    (close === '--' && isOneBlock(above.style))
  if (isCode) return printCode(body, language, above, reading, index)
  if (note !== undefined) return printNote(note, inner(), above, reading, index)
  if (above.style === 'verse') return verse(body, reading)
  if (kind === '__' || above.style === 'quote') {
    const by = above.positional
      .slice(1)
      .filter((one) => one !== '')
      .map((one) => printInline(one, reading.inline).markdown)
    const quoted = inner()
    return prefixed(
      by.length === 0 ? quoted : [...quoted, { text: '', index }, { text: `— ${by.join(', ')}`, index }],
      '> ',
      '> ',
    )
  }
  return inner()
}

/** Whether the language of code stands where its style would. */
function printCode(
  body: readonly Line[],
  language: string,
  above: Above,
  reading: Reading,
  index: number,
): OutLine[] {
  const { style, positional, named, options } = above
  const isSource = style === 'source' || (style === '' && positional.length > 1) || language !== ''
  const own = language || (named.get('language') ?? (isSource ? (positional[1] ?? '') : ''))
  const printed = own || (isSource ? (reading.attributes.get('source-language') ?? '') : '')
  const subs = `${named.get('subs') ?? ''},${options.has('attributes') ? 'attributes' : ''}`
  const isFilled = /attributes|normal/.test(subs) && !subs.includes('-attributes')
  const isMarked = /quotes|normal/.test(subs) && !subs.includes('-quotes')
  const lines = body.map((line) => {
    const filled = isFilled ? reading.attributes.fill(line.text) : line.text
    const text = isMarked ? filled.replaceAll(/(?<![\w*])\*(?=\S)([^*\n]{1,300})\*(?![\w*])/g, '$1') : filled
    return {
      text: text.replace(
        /(?:(?:\/\/|#|--|;;) ?)?(<!--)?<(\d{1,3}|\.)>(?:-->)?(?=\s*(?:<\d{1,3}>|$))/,
        '($2)',
      ),
      index: line.index,
    }
  })
  return fence(
    lines.length > 0 ? lines : [{ text: '', index }],
    /^(?:text|plaintext|plain|none)$/.test(printed) ? 'text' : printed,
  )
}

function printNote(kind: string, inner: OutLine[], above: Above, reading: Reading, index: number): OutLine[] {
  const title = above.title === undefined ? '' : ` ${printInline(above.title, reading.inline).markdown}`
  return prefixed([{ text: `[!${kind}]${title}`, index }, ...inner], '> ', '> ')
}

function verse(body: readonly Line[], reading: Reading): OutLine[] {
  return body.map(({ text, index }) => ({
    text: text.trim() === '' ? '' : `${atStart(printInline(text.trim(), reading.inline).markdown)}  `,
    index,
  }))
}

function printBlockMacro(
  [, name = '', target = '', body = '']: RegExpExecArray,
  index: number,
  above: Above,
  reading: Reading,
): OutLine[] {
  const file = reading.attributes.fill(target)
  const { positional, named } = listOf(reading.attributes.fill(body))
  if (name === 'image') {
    const alt = named.get('alt') ?? (positional[0] || altOf(file))
    return [
      {
        text: `![${escaped(alt)}](${reading.inline.image(file).replaceAll(/[\s()<>]/g, encodeURIComponent)})`,
        index,
      },
    ]
  }
  if ((name === 'video' || name === 'audio') && /^(?:youtube|vimeo)$/.test(positional[0] ?? '')) {
    const address = positional[0] === 'vimeo' ? 'https://vimeo.com/' : 'https://www.youtube.com/watch?v='
    return [
      { text: `[${escaped(above.title ?? address + file)}](${address}${encodeURIComponent(file)})`, index },
    ]
  }
  return []
}

function printParagraph(cursor: Cursor, above: Above, reading: Reading, depth: number): OutLine[] {
  const lines: Line[] = []
  const isLiteral = /^\s/.test(cursor.lines[cursor.at]?.text ?? '') && above.style !== 'normal'
  for (; cursor.at < cursor.lines.length; cursor.at++) {
    const line = cursor.lines[cursor.at]
    if (line === undefined || isBlank(line)) break
    const isFirst = lines.length === 0
    if (!isFirst && (delimiterOf(line.text) !== undefined || /^\[(?:[\w.#%,"'].*|\[.*\])\]$/.test(line.text)))
      break
    if (!isComment(line.text) || isOneBlock(above.style)) lines.push(line)
  }
  const [first] = lines
  if (first === undefined) return []
  if (
    isOneBlock(above.style) ||
    (above.style === '' && above.positional.length > 1 && above.positional[0] === '')
  ) {
    if (above.style === 'verse') return verse(lines, reading)
    if (above.style === 'pass' || above.style === 'comment') return []
    return printCode(lines, '', above, reading, first.index)
  }
  if (isLiteral) return fence(dedented(lines), '')
  const [lead = '', label] = admonition.exec(first.text) ?? []
  const note = label ?? admonition.exec(above.style)?.[1]
  const own =
    label === undefined
      ? lines
      : [{ text: first.text.slice(lead.length), index: first.index }, ...lines.slice(1)]
  const hasBreaks =
    above.options.has('hardbreaks') ||
    reading.attributes.get('hardbreaks-option') !== undefined ||
    reading.attributes.get('hardbreaks') !== undefined
  const text = own.map((line) => line.text.trim()).join(hasBreaks ? ' +\n' : '\n')
  const printed = printInline(text, reading.inline)
    .markdown.split('\n')
    .map((one, at) => ({ text: atStart(one.trimStart()), index: own[at]?.index ?? first.index }))
    .filter((one) => one.text.trim() !== '')
  if (printed.length === 0) return []
  if (note !== undefined) return printNote(note, printed, above, reading, first.index)
  return above.style === 'quote' || depth > maxDepth ? prefixed(printed, '> ', '> ') : printed
}

function dedented(lines: readonly Line[]): Line[] {
  let least = Infinity
  for (const { text } of lines) least = Math.min(least, text.length - text.trimStart().length)
  return lines.map((line) => ({ ...line, text: line.text.slice(least) }))
}
