import { readDocument, zoneOf } from './document.ts'

export interface Heading {
  level: number
  text: string
  /** Index of its line. */
  line: number
}

/** What a request about a whole page needs to know of it. */
export interface Outline {
  lines: string[]
  headings: Heading[]
  /** Index of the first line behind the front matter. */
  bodyLine: number
  frontMatter: Map<string, string>
}

export function outlineOf(text: string, path: string): Outline {
  const document = readDocument(text, path)
  const lines = text.split('\n')
  const headings: Heading[] = []
  let at = 0
  let bodyLine = 0
  lines.forEach((line, index) => {
    if (at < document.bodyStart) bodyLine = index + 1
    else {
      const found = /^ {0,3}(#{1,6})[ \t]+(?![ \t])(.*)$/.exec(line)
      if (found?.[1] !== undefined && zoneOf(document, at, at + 1) !== 'code') {
        headings.push({ level: found[1].length, text: headingText(found[2] ?? ''), line: index })
      }
    }
    at += line.length + 1
  })
  return { lines, headings, bodyLine, frontMatter: fieldsOf(lines.slice(0, bodyLine)) }
}

function headingText(source: string): string {
  const bare = source.trimEnd().replace(/(?:^|[ \t])#+$/, '')
  return bare
    .replace(
      /(?<![ \t])[ \t]*(?:\{#[^}\n]{0,500}\}|\{\/\*[^\n]{0,500}\*\/\}|<a [^>\n]{0,500}><\/a>)[ \t]*$/,
      '',
    )
    .trim()
}

function fieldsOf(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>()
  lines.forEach((line, index) => {
    const found = /^([\w:.-]+):[ \t]*([^]*)$/.exec(line)
    if (found?.[1] === undefined) return
    let value = (found[2] ?? '').trim()
    if (/^[>|][+-]?$/.test(value)) value = lines[index + 1]?.trim() ?? ''
    const quoted = /^(["'])(.*)\1\s*(?:#[^]*)?$/.exec(value)
    const inner = quoted?.[2] ?? value.replace(/\s#.*/s, '')
    fields.set(found[1], quoted?.[1] === '"' ? inner.replaceAll('\\"', '"') : inner.replaceAll("''", "'"))
  })
  return fields
}

/** The title that readers see: front matter's, else the first top heading. */
export function titleOf(outline: Outline): string | undefined {
  const own = outline.frontMatter.get('title')
  return own !== undefined && own !== '' ? own : outline.headings.find((heading) => heading.level === 1)?.text
}

/** A heading that a person named, without regard to case and marks. */
export function findHeading(outline: Outline, named: string): Heading | undefined {
  const key = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  const wanted = key(named)
  if (wanted === '') return undefined
  const exact = outline.headings.find((heading) => key(heading.text) === wanted)
  if (exact) return exact
  const partial = outline.headings.filter((heading) => key(heading.text).includes(wanted))
  return partial.length === 1 ? partial[0] : undefined
}

/** Index of the line behind the section, sub-sections included or not. */
export function sectionEnd(outline: Outline, heading: Heading, withInner: boolean): number {
  const next = outline.headings.find(
    (other) => other.line > heading.line && (!withInner || other.level <= heading.level),
  )
  return next?.line ?? outline.lines.length
}
