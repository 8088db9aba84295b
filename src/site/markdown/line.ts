/** A line without its block quote markers. */
export interface Line {
  /** The text after indentation and quote markers. */
  text: string
  /** Columns before the text, in the innermost quote. */
  indent: number
  quotes: number
}

const maxQuotes = 64

export function readLine(raw: string): Line {
  let position = 0
  let quotes = 0
  let indent = 0
  while (position < raw.length) {
    const character = raw[position]
    if (character === ' ') indent++
    else if (character === '\t') indent += 4 - (indent % 4)
    else if (character === '>' && quotes < maxQuotes && (indent < 4 || quotes > 0)) {
      quotes++
      indent = 0
      if (raw[position + 1] === ' ') position++
    } else break
    position++
  }
  return { text: raw.slice(position).trimEnd(), indent, quotes }
}

/** `- `, `* `, `+ `, `1. `, `1) ` at the start of a list item. */
export function readListMarker(text: string): { marker: string; width: number } | undefined {
  const match = /^(?:([-*+])|(\d{1,9})[.)])(?:[ \t]+|$)/.exec(text)
  if (!match) return undefined
  return { marker: match[1] === undefined ? `${match[2]}.` : '-', width: match[0].length }
}

/**
 * Knows from which column on a line after a blank one is code: four more than the content of the innermost list item or
 * call-out that is open. All who read pages by lines ask it.
 */
export function createIndents(): {
  /** For each line after a blank one, or after code. */
  isCode: (line: Pick<Line, 'indent' | 'quotes'>) => boolean
  /** The content of a list item or a call-out starts at this column. */
  enter: (column: number) => void
  /** The column of the content of the innermost one that is open, 0 for none. */
  column: () => number
} {
  /** The columns of what is open, for each block quote around it. */
  const levels: number[][] = [[]]
  const leave = (open: number[], column: number) => {
    while ((open.at(-1) ?? 0) > column) open.pop()
  }
  return {
    isCode({ indent, quotes }) {
      levels.length = Math.min(levels.length, quotes + 1)
      while (levels.length <= quotes) levels.push([])
      const open = levels.at(-1) ?? []
      if (indent >= (open.at(-1) ?? 0) + 4) return true
      leave(open, indent)
      return false
    },
    enter(column) {
      const open = levels.at(-1) ?? []
      leave(open, column - 1)
      open.push(column)
    },
    column: () => levels.at(-1)?.at(-1) ?? 0,
  }
}

/** An ATX heading; its text still has its markup. `loose`: without a space behind the hashes, as in Python-Markdown. */
export function readHeading(text: string, loose = false): { level: number; text: string } | undefined {
  if (text[0] !== '#') return undefined
  let level = 0
  const most = loose ? 6 : text.length
  while (text[level] === '#' && level < most) level++
  if (loose)
    return {
      level,
      text: text
        .slice(level)
        .trim()
        .replace(/(?<!#)#+$/, '')
        .trim(),
    }
  if (level > 6 || (text.length > level && text[level] !== ' ' && text[level] !== '\t')) return undefined
  const content = text.slice(level).trim()
  let end = content.length
  while (content[end - 1] === '#') end--
  const closed = end < content.length && (end === 0 || /\s/.test(content[end - 1] ?? ''))
  return { level, text: closed ? content.slice(0, end).trim() : content }
}

export function isThematicBreak(text: string): boolean {
  const first = text[0]
  if (first !== '-' && first !== '*' && first !== '_') return false
  const bare = text.replace(/[ \t]+/g, '')
  return bare.length >= 3 && bare === first.repeat(bare.length)
}

/** The row of dashes below a table's head. */
export function isTableDelimiter(text: string): boolean {
  return text.includes('-') && text.includes('|') && /^[|:\s-]+$/.test(text)
}

/** The cells of a table row. A `|` that is escaped or inside of inline code is not a separator. */
export function readCells(text: string): string[] {
  const cells: string[] = []
  let start = text.startsWith('|') ? 1 : 0
  let inCode = false
  for (let position = start; position < text.length; position++) {
    const character = text[position]
    if (character === '\\') position++
    else if (character === '`') inCode = !inCode && text.includes('`', position + 1)
    else if (character === '|' && !inCode) {
      cells.push(text.slice(start, position).trim())
      start = position + 1
    }
  }
  const last = text.slice(start).trim()
  if (last !== '') cells.push(last)
  return cells
}

const maxCallout = 1000

/** The title of a call-out that starts here, `''` when it has none; undefined when none starts. */
export function readCallout(text: string): string | undefined {
  const first = text[0]
  if (text.length > maxCallout) return undefined
  if (first === ':') {
    if (text.startsWith('::') && text[2] !== ':') return readComponent(text)
    const match = /^:{3,}\s*([\w-]*)\s*(?:\[([^\]]*)\])?\s*(?:\{[^}]*\}\s*)?([^]*)$/.exec(text)
    if (!match) return undefined
    const inline = /^:::(?:image|code|video|row|column|zone|moniker)\b/.test(text)
    if (inline) return /\balt-text="([^"]*)"/.exec(text)?.[1] ?? ''
    return (match[2] ?? match[3] ?? '').replace(/(?<!:):+$/, '').trim()
  }
  if (first === '!' || first === '?' || first === '=') {
    const match = /^(!!!|\?\?\?\+?|===[!+]*) ([\w -]*)(?:"([^"]*)")?$/.exec(text)
    if (!match || (first === '=' && match[3] === undefined)) return undefined
    return match[3] ?? ''
  }
  if (first === '/' && text.startsWith('///'))
    return /^\/{3,}[ ]*(?:[\w-]+[ ]*)?(?:\|[ ]*(?! )(.*))?$/.exec(text)?.[1] ?? ''
  if (first === '[' && text.startsWith('[!')) {
    return (
      /^\[!(?:[A-Z]+)\][-+]?\s*(?!\s)(.*)$/i.exec(text)?.[1] ??
      (/^\[!(?:INCLUDE|code|VIDEO|div)/i.test(text) ? '' : undefined)
    )
  }
  return undefined
}

/** The label of a component in MDC or of a directive, on a line of its own: `::card[Label]{to="/x"}`, or `::` at its end. */
function readComponent(text: string): string | undefined {
  const match = /^::(?:[a-z][\w-]*(?:\[([^\]]*)\])?(?:\{[^}]*\})?)?$/i.exec(text)
  return match ? (match[1] ?? '') : undefined
}

/**
 * Reads the lines of a page one after the other and says which of them are the properties of a component in MDC: YAML
 * between two lines `---` right below `::card`.
 */
export function createProperties(): { read: (raw: string) => 'mark' | 'property' | undefined } {
  let state: 'none' | 'component' | 'marked' | 'open' = 'none'
  return {
    read(raw) {
      const text = raw.length > maxCallout ? '' : raw.trim()
      if (state === 'component' && text === '---') {
        state = 'marked'
        return 'mark'
      }
      // Elsewhere `---` below a call-out is a rule.
      if (state === 'marked' && /^[\w:@-]+:(?:\s|$)/.test(text)) state = 'open'
      if (state === 'open') {
        const ends = text === '---'
        if (ends) state = 'none'
        return ends ? 'mark' : 'property'
      }
      state = /^:{2,}[a-z]/i.test(text) ? 'component' : 'none'
      return undefined
    },
  }
}

/** What a reader sees of a property of a component. */
export function shownProperty(raw: string): string | undefined {
  const value = /^\s*(?:title|description|label):[ \t]+(\S.*)$/.exec(raw.slice(0, maxCallout))?.[1]?.trim()
  return value?.replace(/^(["'])(.*)\1$/, '$2')
}
