/** Lines of AsciiDoc that nothing in a page is made of, and those that readers may take for different things. */
export interface AsciidocCode {
  /** By their place, from 0. */
  code: ReadonlySet<number>
  odd: ReadonlySet<number>
}

interface Open {
  /** The line that ends it. */
  close: string
  kind: 'code' | 'table' | 'other'
  /** How many conditions are open around it. */
  conditions: number
}

const condition = /^(ifn?def|ifeval|endif)::[^[]*\[(.*)\]$/
const entry = /^:!?\w[\w-]*!?:(?:\s|$)/
/** The lines below it are as they are up to an empty one, whatever they look like. */
const literalStyle = /^\[(?:source|listing|literal|pass|stem|latexmath|asciimath|verse|comment)?(?=[\],%.#])/

/**
 * Where Asciidoctor has code and comments. A line that would begin or end a block for it alone, or for others alone, is odd: the
 * rest of the page would be code for one of them. `isCode` says of what stands above a block whether its content stays text.
 */
export function readAsciidocCode(lines: readonly string[], isCode: (above: string) => boolean): AsciidocCode {
  const code = new Set<number>()
  const odd = new Set<number>()
  const stack: Open[] = []
  let [conditions, above, before] = [0, '', '']
  let [isHeader, isLiteral, goesOn] = [false, false, false]
  for (const [index, raw] of lines.entries()) {
    const line = raw.trimEnd()
    const top = stack.at(-1)
    const [, kind, content = ''] = condition.exec(line) ?? []
    if (kind !== undefined) {
      if (top?.kind === 'code' && kind !== 'ifeval') code.add(index)
      if (content !== '' && kind.startsWith('ifd') !== kind.startsWith('ifn') && mayOpen(content))
        odd.add(index)
      if (kind === 'endif') conditions = Math.max(0, conditions - 1)
      else if (content === '' || kind === 'ifeval') conditions++
      if (top !== undefined && conditions < top.conditions) odd.add(index)
      continue
    }
    const closed = stack.findLastIndex(({ close }) => close === line)
    const open = closed === -1 && top?.kind !== 'code' && top?.kind !== 'table' ? openOf(line) : undefined
    if (closed !== -1) {
      if (closed < stack.length - 1 || stack[closed]?.conditions !== conditions) odd.add(index)
      stack.length = closed
    } else if (top?.kind === 'code') code.add(index)
    else if (open !== undefined && isUnderline(before, line)) odd.add(index)
    else if (open !== undefined) {
      if (isHeader || isLiteral || goesOn) odd.add(index)
      const isOpaque = open.kind === 'code' && isCode(above)
      stack.push({ ...open, kind: open.kind === 'code' && !isOpaque ? 'other' : open.kind, conditions })
      isLiteral = false
    }
    const isAbove = /^\[.*\]$/.test(line) || /^\.[^\s.]/.test(line) || line.startsWith('//')
    if (line === '') [isHeader, isLiteral] = [false, false]
    else if (/^[=#]\s+\S/.test(line) && top === undefined) isHeader = true
    else if (open === undefined && !isAbove && literalStyle.test(above)) isLiteral = true
    // Values of attributes go on behind a sign at their end.
    goesOn = (goesOn || entry.test(line)) && / [\\+]$/.test(line)
    if (/^\[.*\]$/.test(line)) above = line
    else if (line !== '' && !isAbove) above = ''
    before = line
  }
  // Nothing ends it, here at least.
  if (stack.some(({ kind }) => kind === 'code')) odd.add(lines.length - 1)
  return { code, odd }
}

function openOf(line: string): Pick<Open, 'close' | 'kind'> | undefined {
  if (/^```(?!`)/.test(line)) return { close: '```', kind: 'code' }
  if (/^(?:-{4,}|\.{4,}|\/{4,})$/.test(line)) return { close: line, kind: 'code' }
  if (/^(?:={4,}|\*{4,}|_{4,}|\+{4,}|--)$/.test(line)) return { close: line, kind: 'other' }
  return /^[|,:!]={3,}$/.test(line) ? { close: line, kind: 'table' } : undefined
}

/** What a condition of one line may not put into a page. */
function mayOpen(content: string): boolean {
  return openOf(content.trimEnd()) !== undefined || /^(?:\[|:|=\s)/.test(content)
}

/** Whether a line may be one below a title. */
function isUnderline(title: string, line: string): boolean {
  return /^[-=]{4,}$/.test(line) && /^[\p{L}\p{N}]/u.test(title) && Math.abs(title.length - line.length) <= 1
}
