import type { Finding } from './problem.ts'
import type { FileVersion } from './tree-change.ts'

const marker = /^(?:<{7}|>{7}|\|{7})(?: [^\n]{0,200})?$/

/** Markers of a merge that was not finished. A page may show such markers in a code block, so these only warn. */
export function checkConflicts({ text, lines, isMarkdown }: FileVersion): Finding[] {
  if (!text.includes('<<<<<<<') && !text.includes('>>>>>>>')) return []
  return text.split('\n').flatMap((line, at) => {
    if (!marker.test(line.trimEnd())) return []
    const shown = isMarkdown && lines[at]?.kind === 'code'
    return [
      {
        check: 'conflict' as const,
        ...(shown ? { severity: 'warning' as const } : {}),
        line: at + 1,
        message: `A marker of an unfinished merge is left: ${line.trimEnd().slice(0, 40)}`,
        hint: 'Write the text as it should read with both sides in it, and remove the lines of <<<<<<<, ======= and >>>>>>>',
      },
    ]
  })
}
