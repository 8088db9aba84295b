import { readDocument } from './document.ts'

/** The signs below the titles of a page in the order of their levels, twice where they stand above as well. */
export function titleStyles(text: string): string[] {
  const styles: string[] = []
  for (const block of readDocument(text.split('\n')).blocks)
    if (block.kind === 'heading') {
      const [sign = '='] = block.adornment.text
      styles[block.level - 1] ??= block.hasOverline ? sign + sign : sign
    }
  return styles
}

/** The titles of a page, with the line at which each begins, from 1. */
export function titlesOf(lines: readonly string[]): { line: number; level: number; text: string }[] {
  return readDocument(lines).blocks.flatMap((block) =>
    block.kind === 'heading'
      ? [{ line: block.text.index + (block.hasOverline ? 0 : 1), level: block.level, text: block.text.text }]
      : [],
  )
}
