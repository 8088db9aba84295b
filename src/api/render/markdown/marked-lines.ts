/** How a line of code is marked: `+` added, `-` removed, `=` highlighted. */
type Mark = '+' | '-' | '='

const mostLines = 5000
const note = /^\[!code ([+\w-]{1,12})(?::(\d{1,4}))?\]\s{0,9}(?:-->|\*\/)?$/
const opener = ['//', '#', '--', ';', '<!--', '/*']
const command =
  /^\s{0,99}(?:\/\/|#|<!--|\/\*|\{\/\*)\s{0,9}highlight-(next-line|start|end)\s{0,9}(?:-->|\*\/\}?)?\s{0,9}$/
const ofWord: ReadonlyMap<string, Mark> = new Map([
  ['++', '+'],
  ['--', '-'],
  ...['highlight', 'hl', 'focus', 'warning', 'error'].map((word) => [word, '='] as const),
])

/** Code without the comments that mark its lines, and the marks: `2+ 3- 5=`, counted from 1; `''` for none. */
export function readMarkedLines(code: string, meta: string): { text: string; marks: string } {
  const marks = new Map<number, Mark>()
  if (meta !== '') readMeta(meta, marks)
  if (!code.includes('[!code ') && !code.includes('highlight-')) return { text: code, marks: written(marks) }
  const lines: string[] = []
  let isOpen = false
  let next = 0
  for (const line of code.split('\n')) {
    const [, order] = command.exec(line) ?? []
    if (order !== undefined) {
      if (order === 'next-line') next = lines.length + 1
      else isOpen = order === 'start'
      continue
    }
    const at = line.lastIndexOf('[!code ')
    const [, word = '', count = '1'] = at === -1 ? [] : (note.exec(line.slice(at).trimEnd()) ?? [])
    const mark = ofWord.get(word)
    const text = mark === undefined ? line : withoutOpener(line.slice(0, at))
    // A comment on a line of its own marks the lines below it.
    const isAlone = mark !== undefined && text.trim() === ''
    const from = lines.length + 1
    if (mark !== undefined && marks.size < mostLines)
      for (let at = from; at < from + Math.min(Number(count), mostLines); at++) marks.set(at, mark)
    if (isOpen || next === from) marks.set(from, '=')
    if (!isAlone) lines.push(text)
  }
  return { text: lines.join('\n'), marks: written(marks) }
}

/** A line of code up to the comment that its end is in. */
function withoutOpener(line: string): string {
  const text = line.trimEnd()
  const mark = opener.find((one) => text.endsWith(one))
  return mark === undefined ? text : text.slice(0, -mark.length).trimEnd()
}

/** `{1,3-5}`, `ins={2}`, `del={3}`, `hl_lines="2 3"` */
function readMeta(meta: string, marks: Map<number, Mark>): void {
  const head = meta.slice(0, 1000)
  for (const { 1: braces, 2: quoted, index } of head.matchAll(/\{([\d,\s-]{1,200})\}|"([\d\s-]{1,200})"/g)) {
    const before = head.slice(Math.max(0, index - 20), index)
    if (quoted !== undefined && !before.endsWith('hl_lines=')) continue
    const mark = before.endsWith('ins=') ? '+' : before.endsWith('del=') ? '-' : '='
    for (const range of (braces ?? quoted ?? '').split(/[,\s]+/)) {
      const [first = Number.NaN, last = first] = range.split('-').map(Number)
      for (let at = first; at <= Math.min(last, first + mostLines); at++) marks.set(at, mark)
    }
  }
}

function written(marks: ReadonlyMap<number, Mark>): string {
  return [...marks].map(([line, mark]) => `${line}${mark}`).join(' ')
}

/** The lines of a code block, with the marks of those that have one. */
export function markedLines(text: string, marks: string): { text: string; mark: Mark | undefined }[] {
  const byLine = new Map<number, string>()
  for (const one of marks.split(' ')) byLine.set(Number(one.slice(0, -1)), one.slice(-1))
  return text.split(/(?<=\n)/).map((line, index) => {
    const mark = byLine.get(index + 1)
    return { text: line, mark: mark === '+' || mark === '-' || mark === '=' ? mark : undefined }
  })
}
