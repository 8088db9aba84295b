import type { Block, Lines, SourceLine } from './blocks.ts'
import { kindNames, kindOf } from './directive-kinds.ts'
import { type Document, isShownAsWritten, joined, readDocument } from './document.ts'
import { nameKey } from './explicit.ts'
import { type Inline, unclosedIn } from './inline.ts'
import { skipsLevel } from './read-blocks.ts'
import { nearName } from './near-name.ts'
import type { RestructuredSettings } from './settings.ts'

/** What a build would complain of in a page. */
export interface PageFault {
  /** From 1. */
  line: number
  kind: 'title' | 'markup'
  message: string
  /** The build says nothing. */
  isSilent?: true
}

const mostFaults = 500

/** The faults of a page by its text and what the configuration says. */
export function faultsOf(
  text: string,
  { around, values, isPartial }: Pick<RestructuredSettings, 'around' | 'values' | 'isPartial'>,
): PageFault[] {
  const document = readDocument(text.split('\n'), around)
  // Directives that make text may make the titles between two levels.
  const isComplete = document.blocks.every(
    (block) =>
      block.kind !== 'directive' || !/^(?:made|include|only)$/.test(kindOf(block.name)?.shows ?? 'made'),
  )
  const faults = document.faults.filter(({ message }) => isComplete || message !== skipsLevel)
  const faultsFound: PageFault[] = faults.map(({ line, message }) => ({
    line: line.index + 1,
    kind: /title/.test(message) ? 'title' : 'markup',
    message,
    ...(/is a comment/.test(message) && { isSilent: true as const }),
  }))
  // What a page includes may define what it names.
  const includes = /^ {0,80}\.\. include::/m.test(text)
  const add = (line: SourceLine, message: string) =>
    faultsFound.push({ line: line.index + 1, kind: 'markup', message })
  const passText = (lines: Lines): void => {
    const [first] = lines
    if (first === undefined) return
    const unclosed = unclosedIn(joined(lines))
    if (unclosed !== undefined) add(first, `“${unclosed}” opens markup that nothing closes`)
    for (const piece of document.inline(lines)) {
      const isOpen = includes || (isPartial && piece.kind === 'substitution')
      const message = isOpen ? undefined : missing(piece, document, values)
      if (message !== undefined) add(first, message)
    }
  }
  const pass = (blocks: readonly Block[]): void => {
    for (const block of blocks) {
      if (faultsFound.length >= mostFaults) return
      if (block.kind === 'heading') passText([block.text])
      else if (block.kind === 'paragraph') passText(block.text)
      else if (block.kind === 'directive') {
        const kind = kindOf(block.name)
        if (kind === undefined) {
          const near = nearName(kindNames(), block.name.toLowerCase())
          if (near !== undefined)
            add(block.start, `No directive is called ${block.name}: the nearest is ${near}`)
        } else if (kind.shows === 'note' && block.content.length === 0 && block.argument.length === 0)
          add(block.start, `The ${block.name} has no text: it has to be indented below the directive`)
        if (block.substitution === undefined && !isShownAsWritten(kind?.shows)) pass(document.bodyOf(block))
      } else if (block.kind === 'quote' || block.kind === 'footnote' || block.kind === 'citation')
        pass(block.body)
      else if (block.kind === 'table') for (const row of block.rows) for (const { body } of row) pass(body)
      else if ('items' in block) for (const { body } of block.items) pass(body)
    }
  }
  pass(document.blocks)
  return faultsFound.toSorted((one, other) => one.line - other.line)
}

/** What a piece of text names and the page lacks. */
function missing(
  piece: Inline,
  document: Document,
  values: RestructuredSettings['values'],
): string | undefined {
  if (piece.kind === 'substitution') {
    const isKnown =
      values.has(piece.name) ||
      /^:.*:$/.test(piece.name) ||
      /^(?:version|release|today|translation progress)$/.test(piece.name) ||
      document.substitutions.has(piece.name) ||
      [...document.substitutions.keys()].some((name) => name.toLowerCase() === piece.name.toLowerCase())
    return isKnown ? undefined : `Nothing defines |${piece.name}|`
  }
  if (piece.kind === 'footnote')
    return document.footnotes.has(piece.label) || /^(?:#|\*)$/.test(piece.label)
      ? undefined
      : `The page has no footnote [${piece.label}]`
  if (piece.kind !== 'reference' || piece.isAnonymous) return undefined
  if (piece.uri !== undefined && !piece.uri.endsWith('_')) return undefined
  const name = nameKey(piece.uri === undefined ? piece.text : piece.uri.slice(0, -1).replace(/^`|`$/g, ''))
  return document.addresses.has(name) || document.targets.has(name)
    ? undefined
    : `The page has no target “${name}” for the reference`
}
