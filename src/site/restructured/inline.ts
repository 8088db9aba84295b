/** A piece of running text, with where it begins and ends in that. */
export type Inline = { start: number; end: number } & (
  | { kind: 'text'; text: string }
  | { kind: 'emphasis' | 'strong' | 'literal' | 'target'; text: string }
  | { kind: 'role'; name: string; text: string; textAt: number }
  | { kind: 'reference'; text: string; uri: string | undefined; uriAt: number; isAnonymous: boolean }
  | { kind: 'footnote'; label: string }
  | { kind: 'substitution'; name: string; isReference: boolean }
)

const special = /[*`|_[\\]/g
const openers = `'"([{<-/:‘“«‐‑‒–—¡¿„‚‹`
const closers = `'")]}>-/:.,;!?\\’”»‐‑‒–—…›`
const roleBefore = /:([A-Za-z][\w+.:-]{0,60}):$/
const roleAfter = /:([A-Za-z][\w+.:-]{0,60}):/y
const simpleName = /[A-Za-z\d](?:[\w.+:-]{0,80}[A-Za-z\d])?$/

/**
 * The markup of running text. Linear: where one kind of markup was not closed once, it is not closed further on either.
 */
export function readInline(source: string): Inline[] {
  const pieces: Inline[] = []
  const unclosed = new Set<string>()
  let done = 0
  const put = (piece: Inline) => {
    if (piece.start > done) pieces.push(textPiece(source, done, piece.start))
    pieces.push(piece)
    done = piece.end
  }
  special.lastIndex = 0
  for (let at = 0; at < source.length;) {
    special.lastIndex = at
    const match = special.exec(source)
    if (match === null) break
    at = match.index
    const piece = source[at] === '\\' ? undefined : readPiece(source, at, done, unclosed)
    if (piece === undefined) {
      at += source[at] === '\\' ? 2 : runOf(source, at)
      continue
    }
    put(piece)
    at = piece.end
  }
  if (done < source.length) pieces.push(textPiece(source, done, source.length))
  return pieces
}

/** The markup of a text that begins and does not end, as it stands in the text. */
export function unclosedIn(source: string): string | undefined {
  if (!/\*|`/.test(source)) return undefined
  let rest = ''
  let done = 0
  for (const { kind, start, end } of readInline(source)) {
    if (kind === 'text') rest += source.slice(start, end)
    else rest += 'x'.repeat(end - start)
    done = end
  }
  if (done === 0) return undefined
  for (const match of rest.matchAll(/\*\*(?=[\p{L}\p{N}])|``(?=[^\s`])|(?<!`)`(?=[\p{L}\p{N}])/gu)) {
    const isMark = mayOpen(rest, match.index, match[0].length) && !isEscaped(rest, match.index)
    if (isMark) return source.slice(match.index, match.index + 30).split('\n', 1)[0]
  }
  return undefined
}

function runOf(source: string, at: number): number {
  let end = at + 1
  while (end < source.length && source[end] === source[at] && source[at] !== '_') end++
  return end - at
}

function textPiece(source: string, start: number, end: number): Inline {
  return { kind: 'text', start, end, text: unescaped(source.slice(start, end)) }
}

/** The text without backslashes: before a blank they take it away as well. */
export function unescaped(text: string): string {
  return text.includes('\\')
    ? text.replace(/\\(\s|[^])/g, (_, sign: string) => (/\s/.test(sign) ? '' : sign))
    : text
}

function readPiece(source: string, at: number, done: number, unclosed: Set<string>): Inline | undefined {
  const sign = source[at]
  if (sign === '_') return readName(source, at, done) ?? readTarget(source, at, unclosed)
  if (sign === '[') return readNote(source, at)
  const opens = mayOpen(source, at, 1)
  if (sign === '*') {
    const isStrong = source[at + 1] === '*'
    const mark = isStrong ? '**' : '*'
    if (!mayOpen(source, at, mark.length)) return undefined
    const end = closeOf(source, at + mark.length, mark, unclosed)
    if (end === undefined) return undefined
    const text = unescaped(source.slice(at + mark.length, end))
    return { kind: isStrong ? 'strong' : 'emphasis', start: at, end: end + mark.length, text }
  }
  if (sign === '|') {
    const end = opens ? closeOf(source, at + 1, '|', unclosed) : undefined
    if (end === undefined) return undefined
    const tail = source.startsWith('|__', end) ? 2 : source.startsWith('|_', end) ? 1 : 0
    const name = source.slice(at + 1, end)
    return { kind: 'substitution', start: at, end: end + 1 + tail, name, isReference: tail > 0 }
  }
  if (source.startsWith('``', at)) {
    if (!mayOpen(source, at, 2)) return undefined
    const end = literalEnd(source, at + 2, unclosed)
    return end === undefined
      ? undefined
      : { kind: 'literal', start: at, end: end + 2, text: source.slice(at + 2, end) }
  }
  return readInterpreted(source, at, done, unclosed)
}

/** Text between single backticks: a role, a reference, or the role without a name. */
function readInterpreted(
  source: string,
  at: number,
  done: number,
  unclosed: Set<string>,
): Inline | undefined {
  const roleName = roleBefore.exec(source.slice(Math.max(done, at - 64), at))
  // A role begins where markup may begin; else its name is text.
  const isRole = roleName !== null && mayOpen(source, at - roleName[0].length, roleName[0].length + 1)
  const [before = '', prefix] = isRole ? roleName : []
  const start = at - before.length
  if (!mayOpen(source, start, before.length + 1)) return undefined
  const end = closeOf(source, at + 1, '`', unclosed)
  if (end === undefined) return undefined
  const text = source.slice(at + 1, end)
  if (prefix !== undefined) return { kind: 'role', start, end: end + 1, name: prefix, text, textAt: at + 1 }
  const tail = source.startsWith('`__', end) ? 2 : source.startsWith('`_', end) ? 1 : 0
  if (tail > 0 && !/[\w]/.test(source[end + 1 + tail] ?? ' ')) {
    const open = text.endsWith('>') && !text.endsWith('\\>') ? text.lastIndexOf('<') : -1
    const isNamed = open !== -1 && (open === 0 || /\s/.test(text[open - 1] ?? ''))
    const uri = isNamed ? text.slice(open + 1, -1) : undefined
    const label = isNamed ? text.slice(0, open).trim() : text
    return {
      kind: 'reference',
      start,
      end: end + 1 + tail,
      text: unescaped(label === '' ? (uri ?? '') : label),
      // Blanks are part of the name of another target, and of no address.
      uri: uri?.endsWith('_') === true ? uri : uri?.replace(/\s+/g, ''),
      uriAt: at + 1 + open + 1,
      isAnonymous: tail === 2,
    }
  }
  roleAfter.lastIndex = end + 1
  const [after = '', suffix] = roleAfter.exec(source) ?? []
  return { kind: 'role', start, end: end + 1 + after.length, name: suffix ?? '', text, textAt: at + 1 }
}

/** `name_` and `name__` */
function readName(source: string, at: number, done: number): Inline | undefined {
  const isDouble = source[at + 1] === '_'
  const end = at + (isDouble ? 2 : 1)
  const after = source[end] ?? ' '
  if (!/\s/.test(after) && !closers.includes(after)) return undefined
  const from = Math.max(done, at - 90)
  const [name] = simpleName.exec(source.slice(from, at)) ?? []
  if (name === undefined || name.includes('__') || name.endsWith('_')) return undefined
  const start = at - name.length
  if (start > done && !isOpener(source[start - 1])) return undefined
  return { kind: 'reference', start, end, text: name, uri: undefined, uriAt: start, isAnonymous: isDouble }
}

/** _`a place in the text` */
function readTarget(source: string, at: number, unclosed: Set<string>): Inline | undefined {
  if (source[at + 1] !== '`' || !mayOpen(source, at, 2)) return undefined
  const end = closeOf(source, at + 2, '`', unclosed)
  return end === undefined
    ? undefined
    : { kind: 'target', start: at, end: end + 1, text: unescaped(source.slice(at + 2, end)) }
}

const note = /\[(\d{1,6}|#[\w.:+-]{0,60}|\*|[A-Za-z][\w.:+-]{0,100})\]_(?!\w)/y

function readNote(source: string, at: number): Inline | undefined {
  if (at > 0 && !isOpener(source[at - 1])) return undefined
  note.lastIndex = at
  const [whole, label] = note.exec(source) ?? []
  return whole === undefined || label === undefined
    ? undefined
    : { kind: 'footnote', start: at, end: at + whole.length, label }
}

function isOpener(sign: string | undefined): boolean {
  return (
    sign === undefined ||
    /\s/.test(sign) ||
    openers.includes(sign) ||
    sign === '\\' ||
    /[⺀-鿿＀-￯]/.test(sign)
  )
}

function mayOpen(source: string, at: number, length: number): boolean {
  const before = at === 0 ? undefined : source[at - 1]
  const after = source[at + length]
  if (after === undefined || /\s/.test(after) || !isOpener(before)) return false
  // Quotes around a sign show the sign itself.
  const pairs: Readonly<Record<string, string>> = {
    "'": "'",
    '"': '"',
    '(': ')',
    '[': ']',
    '{': '}',
    '<': '>',
  }
  return before === undefined || pairs[before] !== after
}

/** Where markup ends that began before `from`: behind no blank, and before a blank or a sign. */
function closeOf(source: string, from: number, mark: string, unclosed: Set<string>): number | undefined {
  if (unclosed.has(mark)) return undefined
  for (let at = source.indexOf(mark, from + 1); at !== -1; at = source.indexOf(mark, at + 1)) {
    const before = source[at - 1] ?? ' '
    let after = source[at + mark.length]
    if (mark === '*' && (after === '*' || before === '*')) continue
    if (mark === '`' && after === '`') continue
    if ((mark === '`' || mark === '|') && after === '_') {
      const next = source[at + mark.length + 1]
      after = next === '_' ? source[at + mark.length + 2] : next
    }
    if (mark === '`' && after === ':') return isEscaped(source, at) || /\s/.test(before) ? undefined : at
    if (/\s/.test(before) || isEscaped(source, at)) continue
    if (after === undefined || /\s/.test(after) || closers.includes(after) || /[⺀-鿿＀-￯]/.test(after))
      return at
  }
  unclosed.add(mark)
  return undefined
}

function isEscaped(source: string, at: number): boolean {
  let count = 0
  while (source[at - 1 - count] === '\\') count++
  return count % 2 === 1
}

function literalEnd(source: string, from: number, unclosed: Set<string>): number | undefined {
  if (unclosed.has('``')) return undefined
  for (let at = source.indexOf('``', from + 1); at !== -1; at = source.indexOf('``', at + 1)) {
    // Of three backticks the first is text.
    while (source[at + 2] === '`') at++
    const after = source[at + 2]
    if (/\s/.test(source[at - 1] ?? ' ')) continue
    if (after === undefined || /\s/.test(after) || closers.includes(after)) return at
  }
  unclosed.add('``')
  return undefined
}
