/** What a build of Asciidoctor complains of in a page, or leaves out without a word. */
export interface AsciidocFault {
  /** From 1. */
  line: number
  message: string
}

const block = /^(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|\/{4,}|--|[|,:!]={3,}|`{3}(?!`).*)$/
/** Between them lines are as they are. */
const verbatim = /^(?:-{4,}|\.{4,}|\+{4,}|\/{4,}|`{3})/
const mostFaults = 200

/** The blocks and conditions of a page that nothing ends, titles that skip a level, and macros that lack their brackets. */
export function asciidocFaults(text: string): AsciidocFault[] {
  const faults: AsciidocFault[] = []
  const open: { close: string; line: number; isVerbatim: boolean }[] = []
  const conditions: number[] = []
  let [level, before, isFree] = [0, '', false]
  for (const [index, raw] of text.split('\n').entries()) {
    if (faults.length >= mostFaults) break
    const source = raw.trimEnd()
    const line = index + 1
    if (/^(?:ifn?def::[^[]*\[\]|ifeval::\[.*\])$/.test(source)) conditions.push(line)
    else if (/^endif::[^[]*\[.*\]$/.test(source) && conditions.pop() === undefined)
      faults.push({ line, message: 'No condition is open that this “endif” could end' })
    const at = open.findLastIndex(({ close }) => close === source)
    const inner = open.at(-1)
    if (at !== -1) {
      for (const one of open.slice(at + 1)) faults.push({ line: one.line, message: unclosed(one.close) })
      open.length = at
    } else if (inner?.isVerbatim === true) continue
    else if (block.test(source) && !isUnderline(before, source)) {
      const close = source.startsWith('```') ? '```' : source
      open.push({ close, line, isVerbatim: verbatim.test(source) })
    } else if (open.length === 0) {
      const [, signs = ''] = /^(={1,6})\s+\S/.exec(source) ?? []
      // Levels within conditions and behind includes are not known here.
      if (signs !== '' && !isFree && conditions.length === 0) {
        if (level > 0 && signs.length > level + 1)
          faults.push({
            line,
            message: `The title skips a level of the page: it has ${signs.length} signs after ${level}`,
          })
        level = signs.length
      }
      const [, name = ''] = /^(include|image|video)::[^\s[\]]{1,500}$/.exec(source) ?? []
      if (name !== '')
        faults.push({ line, message: `“${name}::” needs brackets at its end, or it is shown as text` })
    }
    if (/^(?:include::|:leveloffset:)/.test(source)) level = 0
    isFree = /^\[(?:discrete|float)/.test(source)
    before = source
  }
  for (const { close, line } of open) faults.push({ line, message: unclosed(close) })
  for (const line of conditions) faults.push({ line, message: 'No “endif” ends this condition' })
  return faults.toSorted((one, other) => one.line - other.line)
}

function unclosed(sign: string): string {
  return `Nothing ends the block that “${sign}” begins`
}

/** Titles may have a line below them. */
function isUnderline(title: string, line: string): boolean {
  return /^[-=+]{4,}$/.test(line) && /^[\p{L}\p{N}]/u.test(title) && Math.abs(title.length - line.length) <= 1
}
