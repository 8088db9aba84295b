/** `code`: copied as it stands. `prose`: may hold links. */
interface ReadLine {
  kind: 'code' | 'prose'
  /** Replaces the line where Markdown readers could disagree about what it opens. */
  instead?: string
}

/** Keeps track of fenced code over whole lines, so that guard and Markdown reader always agree on what is code. */
export interface Fences {
  /** True while more of the line is needed to tell. */
  undecided(start: string): boolean
  /** @param line whole, or its start once that is decided; without the line break */
  read(line: string): ReadLine
  /** What closes a fence that is still open. */
  end(): string
}

interface Fence {
  mark: string
  /** Column of the list item that holds it; a line further left ends both. */
  container: number
}

const start = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*/
const marker = /^(?:([-*+])|(\d{1,9})[.)])( {1,4})(?=\S)/
const rule = /^[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*$/
const ruleStart = /^[ \t]*([-*_])(?:[ \t]*\1)*[ \t]*$/
const fenceStart = /^(`{3,}|~{3,})(.*)$/s

export function createFences(): Fences {
  let open: Fence | undefined
  // Columns where the content of the open list items begins, outermost first.
  let items: number[] = []
  let afterBlank = true

  const enterItems = (line: string): { column: number; rest: string } => {
    let { column, rest } = indentation(line)
    items = items.filter((item) => item <= column)
    if (rule.test(line)) return { column, rest }
    for (;;) {
      const match = marker.exec(rest)
      const parent = items.at(-1) ?? 0
      if (!match || column - parent > 3) return { column, rest }
      // Only a list that starts at 1 may interrupt a paragraph; others are lists for sure only inside one.
      if (match[2] !== undefined && Number(match[2]) !== 1 && !afterBlank && items.length === 0)
        return { column, rest }
      column += match[0].length
      rest = rest.slice(match[0].length)
      items.push(column)
    }
  }

  return {
    undecided(line) {
      if (ruleStart.test(line)) return true
      const rest = line.slice((start.exec(line)?.[0] ?? '').length)
      return /^(?:[-*+]|\d{1,9}[.)]?)?$/.test(rest) || /^(?:`{1,2}|~{1,2}|```.*|~~~.*)$/.test(rest)
    },
    read(line) {
      if (line.trim() === '') {
        afterBlank = true
        return { kind: open ? 'code' : 'prose' }
      }
      if (open) {
        const { column, rest } = indentation(line)
        if (column >= open.container) {
          if (column - open.container <= 3 && closes(open, rest)) open = undefined
          return { kind: 'code' }
        }
        open = undefined
      }
      const { column, rest } = enterItems(line)
      afterBlank = false
      const [, mark = '', info = ''] = fenceStart.exec(rest) ?? []
      if (mark === '' || (mark.startsWith('`') && info.includes('`'))) return { kind: 'prose' }
      const container = items.at(-1)
      if (container !== undefined && column - container <= 3) {
        open = { mark, container }
        return { kind: 'code' }
      }
      // Indented too far to be surely a fence.
      if (column > 3) return { kind: 'prose' }
      // At the left edge it ends every list and quote, however a reader took the lines before.
      open = { mark, container: 0 }
      return { kind: 'code', instead: mark + info }
    },
    end() {
      return open ? `\n${' '.repeat(open.container)}${open.mark}\n` : ''
    },
  }
}

function closes({ mark }: Fence, rest: string): boolean {
  const closing = rest.trimEnd()
  return closing.length >= mark.length && closing === mark.charAt(0).repeat(closing.length)
}

function indentation(line: string): { column: number; rest: string } {
  let column = 0
  let at = 0
  for (; line[at] === ' ' || line[at] === '\t'; at++) column += line[at] === '\t' ? 4 - (column % 4) : 1
  return { column, rest: line.slice(at) }
}
