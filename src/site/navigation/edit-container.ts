import { type Edit, endingAt } from '../text/text-file.ts'
import { insertLine, removeLines, wholeLines } from './edit-lines.ts'
import { nextLine } from '../text/yaml-source.ts'
import type { Container, Holder, Span } from './navigation-tree.ts'

/** Puts an entry into a list, behind another, before all others or at the end. Nothing else of the file changes. */
export function insertEntry(
  container: Container,
  after: Span | 'nothing' | undefined,
  make: (indent: string) => string,
): Edit[] {
  if (container.layout === 'dashes')
    return [insertLine(container, after === 'nothing' ? undefined : after, make)]
  if (container.layout === 'lines') return [insertWholeLine(container, after, make)]
  return after === 'nothing' ? insertFirst(container, make) : insertChild(container, after, make)
}

/** Removes an entry; `also` are starts of children that other edits remove. */
export function removeEntry(holder: Holder, also: ReadonlySet<number>): Edit[] {
  const { layout, file } = holder.container
  if (layout === 'lines') return [wholeLines(file.text, holder.child)]
  return layout === 'dashes' ? [removeLines(holder)] : removeChild(holder, also)
}

function insertWholeLine(
  { file: { text }, children, start }: Container,
  after: Span | 'nothing' | undefined,
  make: (indent: string) => string,
): Edit {
  const [first] = children
  const sibling = after === 'nothing' ? first : (after ?? children.at(-1))
  const indent = sibling === undefined ? '' : indentOf(text, sibling.start)
  const isAbove = sibling === undefined || after === 'nothing'
  const at = isAbove
    ? sibling === undefined
      ? start
      : lineStart(text, sibling.start)
    : nextLine(text, sibling.end)
  const entry = `${indent}${make(indent)}`
  const ending = endingAt(text, Math.max(0, at - 1))
  const isWholeLine = at === 0 || text[at - 1] === '\n'
  return { start: at, end: at, text: isWholeLine ? `${entry}${ending}` : `${ending}${entry}` }
}

/** Inserts a child behind another one or at the end, in the same layout; `make` gets the indentation of its line. */
export function insertChild(
  container: Container,
  after: Span | undefined,
  make: (indent: string) => string,
): Edit[] {
  const {
    file: { text },
    children,
  } = container
  const before = after ?? children.at(-1)
  if (before === undefined) return [fill(container, make)]
  const comma = commaAfter(text, before.end, container.end)
  const from = lineStart(text, before.start)
  const isOwnLine = text.slice(from, before.start).trim() === ''
  const last = children.at(-1)?.start === before.start
  const end = lineEnd(text, comma ?? before.end)
  const restOfLine = text.slice((comma ?? before.end - 1) + 1, end)
  // Anything else than a comment shares the line.
  const isLast = isOwnLine && /^\s*(?:\/\/.*|\/\*[^*]*\*\/\s*)?$/.test(restOfLine)
  const indent = indentOf(text, before.start)
  if (!isLast) {
    const gap = isOwnLine ? `${endingAt(text, before.start)}${indent}` : ' '
    const at = before.end
    return [{ start: at, end: at, text: `,${gap}${make(indent)}` }]
  }
  const ending = endingAt(text, before.start)
  const element = `${indent}${make(indent)}`
  const complete = text[end] === '\n' || text.startsWith('\r\n', end)
  const at = complete ? end + (text[end] === '\r' ? 2 : 1) : end
  const line = complete
    ? `${element}${last && comma === undefined ? '' : ','}${ending}`
    : `${ending}${element}`
  const edits: Edit[] = [{ start: at, end: at, text: line }]
  if (comma === undefined) edits.unshift({ start: before.end, end: before.end, text: ',' })
  return edits
}

/** Inserts a child before all others. */
function insertFirst(container: Container, make: (indent: string) => string): Edit[] {
  const {
    file: { text },
    children,
  } = container
  const [first] = children
  if (first === undefined) return [fill(container, make)]
  const from = lineStart(text, first.start)
  if (!onlySpace(text, from, first.start))
    return [{ start: first.start, end: first.start, text: `${make(indentOf(text, first.start))}, ` }]
  const indent = indentOf(text, first.start)
  return [{ start: from, end: from, text: `${indent}${make(indent)},${endingAt(text, first.start)}` }]
}

/** Removes a child with its comma, and with its line if nothing else is on it. */
export function removeChild({ container, child }: Holder, also?: ReadonlySet<number>): Edit[] {
  const {
    file: { text },
    children,
  } = container
  const kept = children.filter(({ start }) => start !== child.start && also?.has(start) !== true)
  const before = kept.findLast(({ start }) => start < child.start)
  const after = kept.find(({ start }) => start > child.start)
  const comma = commaAfter(text, child.end, container.end)
  if (before === undefined && after === undefined && onlySpace(text, container.start + 1, child.start)) {
    const rest = (comma ?? child.end - 1) + 1
    if (onlySpace(text, rest, container.end - 1))
      return [{ start: container.start + 1, end: container.end - 1, text: '' }]
  }
  const from = lineStart(text, child.start)
  const until = lineEnd(text, comma ?? child.end)
  const rest = text.slice((comma ?? child.end - 1) + 1, until)
  const isOwnLine =
    from > container.start &&
    until < container.end &&
    onlySpace(text, from, child.start) &&
    /^\s*(?:\/\/.*)?$/.test(rest)
  if (isOwnLine) {
    const edits: Edit[] = [{ start: from, end: until + (text[until] === '\r' ? 2 : 1), text: '' }]
    const left =
      before === undefined || comma !== undefined ? undefined : commaAfter(text, before.end, container.end)
    if (left !== undefined) edits.unshift({ start: left, end: left + 1, text: '' })
    return edits
  }
  if (after !== undefined) return [{ start: child.start, end: after.start, text: '' }]
  if (before !== undefined) return [{ start: before.end, end: child.end, text: '' }]
  return [{ start: child.start, end: (comma ?? child.end - 1) + 1, text: '' }]
}

/** Removals that touch each other become one. */
export function joinRemovals(edits: readonly Edit[]): Edit[] {
  const joined: Edit[] = []
  for (const edit of [...edits].sort((one, other) => one.start - other.start || one.end - other.end)) {
    const last = joined.at(-1)
    if (last !== undefined && last.text === '' && edit.text === '' && edit.start <= last.end)
      last.end = Math.max(last.end, edit.end)
    else joined.push({ ...edit })
  }
  return joined
}

/** The white space at the start of the line that an offset is on. */
export function indentOf(text: string, offset: number): string {
  const start = lineStart(text, offset)
  let end = start
  while (text[end] === ' ' || text[end] === '\t') end++
  return text.slice(start, Math.min(end, offset))
}

/** The indentation of one level. */
export function indentStep(text: string): string {
  const indent = /\n([ \t]+)\S/.exec(text.slice(0, 20_000))?.[1] ?? '  '
  return indent.startsWith('\t') ? '\t' : indent.slice(0, 4)
}

function fill({ file: { text }, start, end, trailing }: Container, make: (indent: string) => string): Edit {
  const outer = indentOf(text, start)
  const inner = `${outer}${indentStep(text)}`
  const ending = endingAt(text, start)
  const isEmpty = onlySpace(text, start + 1, end - 1)
  const element = `${ending}${inner}${make(inner)}${trailing ? ',' : ''}`
  // All that an empty list can contain is a comment.
  if (!isEmpty) return { start: start + 1, end: start + 1, text: element }
  return { start: start + 1, end: end - 1, text: `${element}${ending}${outer}` }
}

/** The comma behind a child, comments skipped. */
function commaAfter(text: string, from: number, until: number): number | undefined {
  for (let at = from; at < until; at++) {
    const character = text[at] ?? ''
    if (character === ',') return at
    if (text.startsWith('//', at)) at = lineEnd(text, at)
    else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2)
      if (end === -1) return undefined
      at = end + 1
    } else if (character.trim() !== '' && character !== ')') return undefined
  }
  return undefined
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

/** Before the line's end, be it of one or two characters. */
function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset)
  if (newline === -1) return text.length
  return newline > offset && text[newline - 1] === '\r' ? newline - 1 : newline
}

function onlySpace(text: string, from: number, until: number): boolean {
  return text.slice(from, until).trim() === ''
}

/** A text as a string literal, in the kind of quotes that `like` begins with. */
export function quoted(value: string, like: string): string {
  const mark = like.startsWith("'") ? "'" : like.startsWith('`') ? '`' : '"'
  const json = JSON.stringify(value)
  if (mark === '"') return json
  const inside = json.slice(1, -1).replaceAll('\\"', '"').replaceAll(mark, `\\${mark}`)
  return `${mark}${mark === '`' ? inside.replaceAll('${', '\\${') : inside}${mark}`
}

/** The quotes that a file mostly uses. */
export function usualQuote(path: string, text: string): string {
  if (path.endsWith('.json')) return '"'
  const start = text.slice(0, 100_000)
  return start.split('"').length > start.split("'").length ? '"' : "'"
}

/** An object's properties as they are written. */
export interface ObjectSource extends Span {
  text: string
  properties: readonly (Span & { name: string | undefined; key: Span; value: Span })[]
}

/** An object with new values for some properties of another one, in its layout; other properties are left out. */
export function objectLike(
  { text, start, end, properties }: ObjectSource,
  values: ReadonlyMap<string, string>,
  indent: string,
): string | undefined {
  const kept = properties.flatMap(({ name, key, value }) => {
    const own = values.get(name ?? '')
    return own === undefined ? [] : [`${text.slice(key.start, value.start)}${own}`]
  })
  const [first] = properties
  if (first === undefined || kept.length < values.size) return undefined
  const open = text.slice(start + 1, first.start)
  if (!open.includes('\n')) {
    const pad = open === '' ? '' : ' '
    return `{${pad}${kept.join(', ')}${pad}}`
  }
  const step = indentOf(text, first.start).slice(indentOf(text, start).length) || '  '
  const ending = endingAt(text, start)
  const comma = text.slice(properties.at(-1)?.end, end).trimStart().startsWith(',') ? ',' : ''
  return `{${ending}${kept.map((line) => `${indent}${step}${line}`).join(`,${ending}`)}${comma}${ending}${indent}}`
}
