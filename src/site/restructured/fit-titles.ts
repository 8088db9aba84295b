import { widthOf } from './blocks.ts'
import { readDocument } from './document.ts'

/**
 * A text after an edit, where the lines below and above titles that changed are as long as before compared with the title: as
 * long as it, or longer.
 */
export function fitTitles(before: string, after: string): string {
  const [old, lines] = [before.split('\n'), after.split('\n')]
  const isLineByLine = old.length === lines.length
  const known = new Map<string, number>()
  for (const block of readDocument(old).blocks) {
    if (block.kind !== 'heading') continue
    const { text, adornment, hasOverline } = block
    known.set(text.text.trim(), adornment.text.length)
    if (!isLineByLine || old[adornment.index] !== lines[adornment.index]) continue
    const title = lines[text.index]?.trim() ?? ''
    if (title === '' || title === text.text.trim()) continue
    const width = adornment.text.length === widthOf(text.text.trim()) ? 0 : adornment.text.length
    fit(lines, adornment.index, Math.max(width, widthOf(title)))
    if (hasOverline) fit(lines, text.index - 1, Math.max(width, widthOf(title)))
  }
  if (!isLineByLine)
    for (const block of readDocument(lines).blocks) {
      if (block.kind !== 'heading') continue
      const { text, adornment, hasOverline } = block
      const width = widthOf(text.text.trim())
      if (known.get(text.text.trim()) === adornment.text.length || adornment.text.length >= width) continue
      fit(lines, adornment.index, width)
      if (hasOverline) fit(lines, text.index - 1, width)
    }
  return lines.join('\n')
}

function fit(lines: string[], index: number, length: number): void {
  const line = lines[index] ?? ''
  const [sign = '='] = line
  lines[index] = `${sign.repeat(length)}${line.endsWith('\r') ? '\r' : ''}`
}
