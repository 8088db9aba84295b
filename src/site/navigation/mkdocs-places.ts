import { type Scalar, type YAMLSeq, isMap, isScalar, isSeq } from 'yaml'
import type { Edit } from '../text/text-file.ts'
import { endingAt } from '../text/text-file.ts'
import { yamlScalar } from '../text/yaml-scalar.ts'
import { endOf, lineStart, nextLine, startOf, textOf } from '../text/yaml-source.ts'
import { ToolError } from '../../lib/tool-error.ts'

export interface NavSection {
  /** Undefined for the navigation itself. */
  name: string | undefined
  seq: YAMLSeq
}

export interface NavPage {
  scalar: Scalar
  text: string
  title: string | undefined
  group: string | undefined
  seq: YAMLSeq
  index: number
  /** The lists that this one stands in, outermost first, with the index in each. */
  above: readonly { seq: YAMLSeq; index: number }[]
}

/** A new entry behind the one at `index`, on a line of its own where the others have theirs. */
export function addEdit(
  text: string,
  place: { seq: YAMLSeq; index: number },
  page: { text: string; title: string | undefined },
): Edit {
  const item = place.seq.items[place.index]
  if (item === undefined)
    throw new ToolError('unreadable', 'The navigation has an empty group: add the page with edit_file')
  const titled = page.title !== undefined && place.seq.items.some(isMap)
  const path = yamlScalar(page.text)
  const title = yamlScalar(page.title ?? '')
  if (place.seq.flow === true) {
    const at = endOf(item)
    return { start: at, end: at, text: titled ? `, {${title}: ${path}}` : `, ${path}` }
  }
  const dash = dashOf(text, startOf(item))
  const entry = `${dash.indent}-${dash.space}${titled ? `${title}: ${path}` : path}`
  const at = nextLine(text, endOf(item))
  const ending = endingAt(text, startOf(item))
  const complete = at === 0 || text[at - 1] === '\n'
  return { start: at, end: at, text: complete ? `${entry}${ending}` : `${ending}${entry}` }
}

/** Takes out the entry's lines, and those of a section that has no other entry. */
export function removeEdit(text: string, page: NavPage): Edit {
  let { seq, index } = page
  for (const above of page.above.toReversed()) {
    if (seq.items.length > 1) break
    seq = above.seq
    index = above.index
  }
  const item = seq.items[index]
  if (seq.flow === true) {
    const before = seq.items[index - 1]
    const after = seq.items[index + 1]
    if (before !== undefined) return { start: endOf(before), end: endOf(item), text: '' }
    return { start: startOf(item), end: after === undefined ? endOf(item) : startOf(after), text: '' }
  }
  return {
    start: lineStart(text, dashOf(text, startOf(item)).at),
    end: nextLine(text, endOf(item)),
    text: '',
  }
}

// `- ` before an item, with the white space around it; YAML allows a line end after the dash.
function dashOf(text: string, start: number): { at: number; indent: string; space: string } {
  const at = text.lastIndexOf('-', start - 1)
  const from = lineStart(text, at)
  const indent = text.slice(from, at)
  if (at === -1 || indent.trim() !== '') {
    throw new ToolError(
      'unreadable',
      'The navigation is laid out in a way that cannot be edited here: use edit_file',
    )
  }
  const space = text.slice(at + 1, start)
  return { at, indent, space: space.trim() === '' && !space.includes('\n') ? space : ' ' }
}

/** The pages and groups of a list, in its order. */
export function collectNav(seq: YAMLSeq): { pages: NavPage[]; sections: NavSection[] } {
  const found = { pages: [], sections: [] }
  collect(seq, undefined, [], found, 0)
  return found
}

function collect(
  seq: YAMLSeq,
  name: string | undefined,
  above: NavPage['above'],
  found: { pages: NavPage[]; sections: NavSection[] },
  depth: number,
): void {
  if (depth > 50) return
  found.sections.push({ name, seq })
  for (const [index, item] of seq.items.entries()) {
    if (isScalar(item)) add(item, index, undefined)
    if (!isMap(item)) continue
    for (const pair of item.items) {
      const title = textOf(pair.key)
      if (isScalar(pair.value)) add(pair.value, index, title)
      if (isSeq(pair.value)) collect(pair.value, title, [...above, { seq, index }], found, depth + 1)
    }
  }
  function add(scalar: Scalar, index: number, title: string | undefined) {
    const text = textOf(scalar)
    if (text === undefined || /^[a-z][a-z\d+.-]*:/i.test(text)) return
    found.pages.push({ scalar, text, title, group: name, seq, index, above })
  }
}
