import { type Block, type Directive, type Lines, sourceLines } from './blocks.ts'
import { isShownAsWritten, joined, readDocument } from './document.ts'
import { kindOf } from './directive-kinds.ts'
import { readBlocks, startReading } from './read-blocks.ts'

/** What a page calls by name. Lines count from 1. */
export interface Uses {
  /** Without a name: of the page's default role. */
  roles: { name: string; text: string; line: number }[]
  /** With their arguments, options and content as lines. */
  directives: { name: string; argument: string; lines: string[]; line: number }[]
}

/** The cells of a table in CSV that stand in quotes, as all signs that may be used for them have them. */
function cellsOfCsv(lines: readonly string[]): string[] {
  const text = lines.join('\n')
  return ['"', "'", '|'].flatMap((quote) => text.split(quote).slice(1))
}

/** The roles and directives of a page, as its grammar has them. */
export function usesIn(text: string): Uses {
  const document = readDocument(text.split('\n'))
  const uses: Uses = { roles: [], directives: [] }
  const passText = (lines: Lines): void => {
    for (const piece of document.inline(lines))
      if (piece.kind === 'role')
        uses.roles.push({ name: piece.name, text: piece.text, line: (lines[0]?.index ?? 0) + 1 })
  }
  const passDirective = (block: Directive): void => {
    const { name, argument, start, options, content } = block
    const lines = [
      ...argument.map(({ text }) => text),
      ...[...options].map(([option, { value }]) => `:${option}: ${value}`),
      ...content.map(({ text }) => text),
    ]
    uses.directives.push({ name, argument: joined(argument).trim(), lines, line: start.index + 1 })
    passText(argument)
    for (const { value, line } of options.values()) passText([{ ...line, text: value }])
    if (name.toLowerCase() === 'parsed-literal') passText(content)
    // What stands between quotes is a text of its own.
    if (name.toLowerCase() === 'csv-table')
      for (const cell of cellsOfCsv([...content.map(({ text }) => text), options.get('header')?.value ?? '']))
        pass(
          readBlocks(
            sourceLines(cell.split('\n')).map((one) => ({ ...one, index: start.index })),
            startReading(),
          ),
        )
    if (!isShownAsWritten(kindOf(name)?.shows)) pass(document.bodyOf(block))
  }
  const pass = (blocks: readonly Block[]): void => {
    for (const block of blocks) {
      if (block.kind === 'heading') passText([block.text])
      else if (block.kind === 'paragraph' || block.kind === 'lines') passText(block.text)
      else if (block.kind === 'directive') passDirective(block)
      else if (block.kind === 'quote' || block.kind === 'footnote' || block.kind === 'citation')
        pass(block.body)
      else if (block.kind === 'table') for (const row of block.rows) for (const { body } of row) pass(body)
      else if ('items' in block)
        for (const { head, body } of block.items) {
          passText(head)
          pass(body)
        }
    }
  }
  pass(document.blocks)
  return uses
}
