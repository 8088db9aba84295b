import { createFences } from '../markdown/fence.ts'
import { readLine } from '../markdown/line.ts'
import type { PageLine } from '../pages/page.ts'
import { type Tag, readTag } from '../markdown/tag.ts'

const markdownImport = /\bimport\s{1,20}([A-Z]\w{0,100})\s{1,20}from\s{1,20}(["'])([^"'\n]{1,500}\.mdx?)\2/g
const maxLine = 2000

/** The Markdown files that a page imports, by the name of their component. */
export function importsOf(lines: readonly PageLine[]): Map<string, string> {
  const imports = new Map<string, string>()
  for (const { text } of outsideOfCode(lines)) {
    if (!text.startsWith('import')) continue
    for (const [, name, , specifier] of text.slice(0, maxLine).matchAll(markdownImport))
      // Editors may have escaped underscores.
      if (name !== undefined && specifier !== undefined) imports.set(name, specifier.replaceAll('\\', ''))
  }
  return imports
}

/** Whether a line does nothing but import Markdown files. */
export function isImportOfMarkdown(text: string): boolean {
  return text.startsWith('import') && /^[;\s]*$/.test(text.slice(0, maxLine).replaceAll(markdownImport, ''))
}

/**
 * Puts texts in the place of the tags of imported components: `<Name />`, also with attributes, whose values take the
 * place of `{name}` and `{props.name}` in the text.
 */
export function replaceTags(
  lines: readonly PageLine[],
  texts: ReadonlyMap<string, readonly PageLine[]>,
  maxCharacters: number,
): PageLine[] {
  if (texts.size === 0) return [...lines]
  let left = maxCharacters
  const outside = new Set(outsideOfCode(lines))
  const replaced: PageLine[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]
    if (line === undefined) break
    const use = outside.has(line) && left > 0 ? findUse(lines, at, texts) : undefined
    if (use === undefined) {
      replaced.push(line)
      continue
    }
    const indent = /^[ \t]*/.exec(line.text)?.[0] ?? ''
    const put = (text: string): PageLine => ({ ...line, text })
    if (use.before.trim() !== '') replaced.push(put(use.before.trimEnd()))
    replaced.push(put(''))
    for (const one of use.text) {
      const text = one.text === '' ? '' : indent + filled(one.text, use.tag)
      left -= text.length
      replaced.push({ ...one, text })
    }
    replaced.push(put(''))
    if (use.after.trim() !== '') replaced.push(put(indent + use.after.trimStart()))
    at += use.lines - 1
  }
  return replaced
}

/** A tag that stands for a text. */
interface Use {
  tag: Tag
  text: readonly PageLine[]
  before: string
  after: string
  /** How many lines the tag takes. */
  lines: number
}

const maxTagLines = 20

/** The first tag that begins in a line and stands for a text. */
function findUse(
  lines: readonly PageLine[],
  index: number,
  texts: ReadonlyMap<string, readonly PageLine[]>,
): Use | undefined {
  const first = lines[index]?.text ?? ''
  for (let at = first.indexOf('<'); at !== -1; at = first.indexOf('<', at + 1)) {
    const name = /^[A-Z]\w{0,100}/.exec(first.slice(at + 1, at + 110))?.[0]
    const text = name === undefined ? undefined : texts.get(name)
    if (text === undefined) continue
    const source = lines
      .slice(index, index + maxTagLines)
      .map((line) => line.text)
      .join('\n')
    const tag = readTag(source, at)
    if ('failedAt' in tag) continue
    const closing = `</${tag.name}>`
    const end = !tag.selfClosing && source.startsWith(closing, tag.end) ? tag.end + closing.length : tag.end
    const lineEnd = source.indexOf('\n', end)
    return {
      tag,
      text,
      before: first.slice(0, at),
      after: source.slice(end, lineEnd === -1 ? undefined : lineEnd),
      lines: source.slice(0, end).split('\n').length,
    }
  }
  return undefined
}

function filled(text: string, { attributes }: Tag): string {
  if (attributes.length === 0 || !text.includes('{')) return text
  return text.replaceAll(
    /\{\s{0,9}(?:props\.)?(\w{1,100})\s{0,9}\}/g,
    (whole, name: string) => attributes.find((attribute) => attribute.name === name)?.value ?? whole,
  )
}

/** The lines that are in no code block. */
function outsideOfCode(lines: readonly PageLine[]): PageLine[] {
  const fences = createFences()
  return lines.filter(({ text }) => !fences.holds(readLine(text)))
}
