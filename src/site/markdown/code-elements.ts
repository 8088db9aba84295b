import { decodeEntities } from './entities.ts'
import { createFences } from './fence.ts'
import { readLine } from './line.ts'
import { readTag } from './tag.ts'

const names = /<(pre|CodeBlock)(?=[\s>])/
/** Elements that only mark what they hold; any other is text of the code. */
const marks = /^(?:code|span|b|i|em|strong|a|mark|br|div|kbd|var)$/i
const mostLines = 400
const language = /(?:^|[\s"'])(?:language|lang|highlight)-([\w+#.-]{1,30})/

/** A page's text in which code in HTML, `<pre><code>`, is code in Markdown: whoever reads a page knows what to run. */
export function withFencesOfCode(text: string, mdx: boolean): string {
  if (!names.test(text)) return text
  const fences = createFences(mdx)
  const lines = text.split('\n')
  const out: string[] = []
  let noCloseBefore = 0
  for (let at = 0; at < lines.length; at++) {
    const raw = lines[at] ?? ''
    const line = readLine(raw)
    if (fences.holds(line) || at < noCloseBefore || !line.text.startsWith('<') || (!mdx && line.indent > 3)) {
      out.push(raw)
      continue
    }
    const name = names.exec(raw)?.[1]
    const start = name === undefined ? -1 : raw.indexOf(`<${name}`)
    const tag = start < 0 ? undefined : readTag(raw, start)
    if (name === undefined || tag === undefined || 'failedAt' in tag || tag.selfClosing) {
      out.push(raw)
      continue
    }
    const element = elementFrom(lines, at, tag.end, `</${name}>`)
    if (element === undefined) {
      noCloseBefore = at + mostLines
      out.push(raw)
      continue
    }
    const before = raw.slice(0, start)
    const indent = /^[\s>]*/.exec(raw)?.[0] ?? ''
    if (before.trim() !== '') out.push(before)
    const own = tag.attributes.find((one) => one.name === 'language')?.value
    out.push(
      ...fenced(element.source, own ?? language.exec(raw.slice(start, start + 300))?.[1] ?? '', indent),
    )
    if (element.after.trim() !== '') out.push(element.after)
    at = element.last
  }
  return out.join('\n')
}

function elementFrom(
  lines: readonly string[],
  first: number,
  column: number,
  close: string,
): { source: string; after: string; last: number } | undefined {
  const within: string[] = []
  for (let at = first; at < lines.length && at < first + mostLines; at++) {
    const line = at === first ? (lines[at] ?? '').slice(column) : (lines[at] ?? '')
    const end = line.indexOf(close)
    if (end < 0) within.push(line)
    else
      return {
        source: [...within, line.slice(0, end)].join('\n'),
        after: line.slice(end + close.length),
        last: at,
      }
  }
  return undefined
}

function fenced(source: string, info: string, indent: string): string[] {
  const literal = source.trim()
  const isLiteral = literal.startsWith('{`') && literal.endsWith('`}')
  const code = withoutTags(isLiteral ? literal.slice(2, -2) : source)
    .trimEnd()
    .replace(/^\s*\n/, '')
  if (code.trim() === '') return []
  const mark = code.includes('```') ? '`````' : '```'
  const lines = code.split('\n').map((line) => (line.startsWith(indent) ? line : indent + line))
  return ['', `${indent}${mark}${info}`, ...lines, `${indent}${mark}`, '']
}

/** The text of HTML: what is highlighted is marked by tags. */
function withoutTags(source: string): string {
  let text = ''
  let position = 0
  while (position < source.length) {
    const open = source.indexOf('<', position)
    if (open < 0) break
    text += source.slice(position, open)
    const tag = readTag(source, open)
    const end = 'failedAt' in tag ? Math.max(open + 1, tag.failedAt) : tag.end
    if ('failedAt' in tag || !marks.test(tag.name)) text += source.slice(open, end)
    else if (tag.name.toLowerCase() === 'br') text += '\n'
    position = end
  }
  return decodeEntities(text + source.slice(position))
}
