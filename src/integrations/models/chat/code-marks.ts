/**
 * Follows a text in Markdown piece by piece, and knows whether its end stands in code: in a fence, or between backticks,
 * which end with their paragraph at the latest.
 */
export interface CodeMarks {
  /** @returns how many signs were taken; fewer than all where the rest decides only with what follows */
  take(text: string, isLast: boolean): number
  code(): 'fence' | 'inline' | undefined
  /** The text of the last line so far. */
  line(): string
}

const longestLine = 200

export function createCodeMarks(): CodeMarks {
  let fence: string | undefined
  let inline = 0
  let line = ''
  const takeRun = (run: string): void => {
    const isStart = /^[\s>*+\-\d.)]*$/.test(line)
    const isFence = run.length >= 3 && isStart
    if (fence !== undefined) {
      if (isFence && run.startsWith(fence)) fence = undefined
    } else if (isFence && inline === 0) fence = run
    else if (!run.startsWith('~')) inline = inline === 0 ? run.length : inline === run.length ? 0 : inline
    line += run
  }
  return {
    take(text, isLast) {
      let at = 0
      while (at < text.length) {
        const sign = text.charAt(at)
        if (sign === '`' || sign === '~') {
          let end = at + 1
          while (text[end] === sign) end++
          // The run may go on.
          if (end === text.length && !isLast && end - at < longestLine) return at
          takeRun(text.slice(at, end))
          at = end
        } else {
          if (sign === '\n') {
            if (line.trim() === '') inline = 0
            line = ''
          } else if (line.length < longestLine) line += sign
          at++
        }
      }
      return at
    },
    code: () => (fence === undefined ? (inline > 0 ? 'inline' : undefined) : 'fence'),
    line: () => line,
  }
}
