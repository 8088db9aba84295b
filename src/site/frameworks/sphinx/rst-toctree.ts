import type { SourceFile, TreePage } from '../../navigation/navigation-tree.ts'
import type { Block, Directive } from '../../restructured/blocks.ts'
import { kindOf } from '../../restructured/directive-kinds.ts'
import { type Document, isShownAsWritten, readDocument } from '../../restructured/document.ts'
import { toctreeEntries } from '../../restructured/toctree-entries.ts'
import { lineFinder, splitLines } from '../../text/text-file.ts'
import type { ToctreeList, Toctrees } from './toctree.ts'

/** The entries of the `toctree` directives of a page in reStructuredText. `resolve` gives the path of a document's name. */
export function readRstToctrees(
  file: SourceFile,
  resolve: (name: string) => Pick<TreePage, 'path' | 'isMissing'>,
): Toctrees {
  const toctrees: { pages: TreePage[]; lists: ToctreeList[] } = { pages: [], lists: [] }
  if (!file.text.includes('toctree::')) return toctrees
  const { text } = file
  const document = readDocument(text.split('\n'))
  const lineOf = lineFinder(text)
  const lines = splitLines(text)
  for (const directive of toctreesIn(document.blocks, document)) {
    const caption = directive.options.get('caption')?.value
    const isGlob = directive.options.has('glob')
    const entries = toctreeEntries(directive)
    const spans = entries.map(({ line }) => ({ start: line.at, end: line.at + line.text.length }))
    const last = directive.options.size === 0 ? directive.start : [...directive.options.values()].at(-1)?.line
    const index = lineOf(spans[0]?.start ?? last?.at ?? 0) - 1
    const at = spans.length > 0 ? (lines[index]?.start ?? 0) : endOf(lines, index)
    const globs = entries.flatMap(({ name }) => (isGlob && /[*?[]/.test(name) ? [name] : []))
    const list: ToctreeList = {
      container: { file, start: at, end: at, children: spans, layout: 'lines', trailing: false },
      names: caption === undefined ? [] : [caption],
      key: caption === undefined ? file.path : undefined,
      globs,
    }
    toctrees.lists.push(list)
    for (const [entry, { name, label, line, at: inside }] of entries.entries()) {
      const child = spans[entry]
      if (child === undefined || globs.includes(name) || name === 'self' || /^[a-z][a-z\d+.-]*:/i.test(name))
        continue
      toctrees.pages.push({
        file,
        node: { start: line.at + inside, end: line.at + inside + name.length },
        text: name,
        label,
        ...resolve(name),
        mustExist: true,
        groups: caption === undefined ? [] : [caption],
        isShort: label === undefined,
        holder: { container: list.container, child },
        list,
      })
    }
  }
  return toctrees
}

function endOf(lines: ReturnType<typeof splitLines>, index: number): number {
  const line = lines[index]
  return line === undefined ? 0 : line.end + line.ending.length
}

function toctreesIn(blocks: readonly Block[], document: Document): Directive[] {
  return blocks.flatMap((block): Directive[] => {
    if (block.kind === 'quote') return toctreesIn(block.body, document)
    if (block.kind !== 'directive') return []
    const shows = kindOf(block.name)?.shows
    if (shows === 'toctree') return [block]
    return isShownAsWritten(shows) ? [] : toctreesIn(document.bodyOf(block), document)
  })
}
