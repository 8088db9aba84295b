import { createFences } from '../markdown/fence.ts'
import { readLine } from '../markdown/line.ts'
import { type Edit, splitLines } from '../text/text-file.ts'

/** A relative file name in a page's code: an import, a `require`, an include of another file. */
export interface FileReference extends Edit {
  /** As written: it starts with `./` or `../`, or, for includes, may be bare. */
  text: string
}

const imported =
  /^(?:import\b[^'"\n]{0,2000}|export\b[^'"\n]{0,2000}\bfrom\s{0,20}|\s{0,20}\}\s{0,20}from\s{0,20})['"](\.\.?\/[^'"\n]{1,1000})['"]/
const required = /\brequire\(['"](\.\.?\/[^'"\n]{1,1000})['"]\)/g
const included = /^\s*(?:<!--\s*@include:\s*|<<<\s+)((?!@)(?:(?!-->)[^\s{<>#[]){1,1000})/

/** Includes that their generators fill in before they look for code: of mdBook, MyST, MkDocs, Jekyll and themes of Hugo. */
const filledIn = [
  /(?<!\\)\{\{\s{0,20}#(?:rustdoc_include|include|playground)\s{1,20}([^\s:{}]{1,500})/,
  /^\s{0,40}(?:`{3,20}|~{3,20}|:{3,20})\{(?:include|literalinclude)\}[ \t]{1,20}([^\s/]\S{0,500})/,
  /\binclude-markdown\s{1,20}["'](\.\.?\/[^"'\n]{1,500})["']/,
  /\{%-?\s{0,20}include_relative\s{1,20}([^\s"'%{}]{1,500})/,
  /\{\{[%<]\s{0,20}(?:readfile|include)\s{1,20}(?:file=)?["']([^"'\n/][^"'\n]{0,500})["']/,
]

/** The references of a page, except those in its code blocks that act outside of them alone. Each is the file name alone. */
export function fileReferences(text: string): FileReference[] {
  const references: FileReference[] = []
  const fences = createFences()
  for (const { start, end } of splitLines(text)) {
    const line = text.slice(start, Math.min(end, start + 5000))
    const isCode = fences.holds(readLine(line))
    const filled = filledIn.map((form) => form.exec(line)).find((found) => found !== null)
    const match = filled ?? (isCode ? null : (imported.exec(line) ?? included.exec(line)))
    if (match?.[1] !== undefined) {
      const at = start + match.index + match[0].lastIndexOf(match[1])
      references.push({ start: at, end: at + match[1].length, text: match[1] })
    }
    for (const call of isCode ? [] : line.matchAll(required)) {
      const [whole, name = ''] = call
      const at = start + call.index + whole.indexOf(name)
      references.push({ start: at, end: at + name.length, text: name })
    }
  }
  return references
}
