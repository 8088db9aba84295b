import { createFences } from '../../../site/markdown/fence.ts'
import { readHeadingId } from '../../../site/markdown/heading-id.ts'
import { readHeading, readLine } from '../../../site/markdown/line.ts'
import { slugify } from '../../../site/markdown/slug.ts'
import { titlesOf } from '../../../site/restructured/title-styles.ts'
import { ToolError } from '../../../lib/tool-error.ts'

interface Heading {
  line: number
  level: number
  text: string
}

const mostListed = 60

/**
 * The lines of the section that a heading begins, up to the next one of its level.
 * @param wanted its text or its anchor, in upper or lower case
 * @throws ToolError `not_found` with the headings that there are
 */
export function findSection(
  lines: readonly string[],
  wanted: string,
  path: string,
): { first: number; last: number } {
  const headings = path.endsWith('.rst') ? titlesOf(lines) : headingsOf(lines)
  const key = plain(wanted.replace(/^[#=\s]+/, ''))
  const isNamed = ({ text }: Heading) => namesOf(text).includes(key)
  const wantedHeading =
    headings.find(isNamed) ?? headings.find(({ text }) => key !== '' && plain(text).includes(key))
  if (wantedHeading === undefined) {
    const names = headings.slice(0, mostListed).map(({ line, text }) => `${line}: ${text}`)
    throw new ToolError('not_found', 'There is no such heading', { headings: names })
  }
  const next = headings.find(({ line, level }) => line > wantedHeading.line && level <= wantedHeading.level)
  return { first: wantedHeading.line, last: next === undefined ? lines.length : next.line - 1 }
}

function headingsOf(lines: readonly string[]): Heading[] {
  const fences = createFences()
  return lines.flatMap((raw, index) => {
    const line = readLine(raw)
    if (fences.holds(line) || line.indent > 3) return []
    // AsciiDoc marks headings with another sign.
    const [, signs = ''] = /^(={2,6})\s/.exec(line.text) ?? []
    const heading = readHeading(`${'#'.repeat(signs.length)}${line.text.slice(signs.length)}`)
    return heading === undefined ? [] : [{ line: index + 1, ...heading }]
  })
}

function namesOf(source: string): string[] {
  const { text, id } = readHeadingId(source)
  const names = [
    text,
    text.replaceAll(/[`*_]/g, ''),
    slugify(text, 'github'),
    slugify(text, 'mintlify'),
    id ?? '',
  ]
  return names.filter((name) => name !== '').map(plain)
}

function plain(text: string): string {
  return text.trim().toLowerCase()
}
