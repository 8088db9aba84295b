import type { ActivePart } from './active-part.ts'
import { firstLine, shown, squeezed } from './active-part.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

const opening = /^[ \t>*+\-\d.)]{0,200}(`{3,}|~{3,})([^\n`]{1,2000})$/gm
const maxContent = 5000
/** `exec` runs at the build, `live` in the reader's browser; directives in braces take in files or run as well. */
const running =
  /(?:^|\s)(?:exec\s*=\s*["']?(?:1|true|on|yes)\b|live(?:\s|$))|^\{(?:code-cell|eval-rst|include|literalinclude|raw|python|r|julia|jupyter-execute)\b/i

/** Code blocks that are not only shown. */
export function fenceParts(text: string): Part[] {
  return [...text.matchAll(opening)].flatMap((match) => {
    const [whole, marker = '', info = ''] = match
    const words = info.trim()
    // A title may say anything.
    if (!running.test(words) || !running.test(words.replaceAll(/(?<!exec\s?=\s?)"[^"]*"|'[^']*'/g, '""')))
      return []
    const start = match.index + whole.length
    const stop = text.slice(start, start + maxContent).indexOf(`\n${marker}`)
    const content = text.slice(start, stop === -1 ? start + maxContent : start + stop)
    const what = `a code block that runs: ${shown(words)}`
    return [{ key: `fence ${squeezed(words + content)}`, what, search: firstLine(words), at: match.index }]
  })
}
