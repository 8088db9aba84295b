import { type Edit, endingAt, splitLines } from '../text/text-file.ts'
import { entryOf } from './attributes.ts'
import type { AsciidocSettings } from './settings.ts'

/** The edits by which a page that moves names its former id in an attribute of its header. An alias that is its new id goes. */
export function attributeAliasEdits(
  {
    asciidoc,
    aliasOf,
  }: {
    asciidoc?: AsciidocSettings | undefined
    aliasOf: (page: { path: string; url: string }, here: string) => string
  },
  text: string,
  { field, from, to }: { field: string; from: string; to: string },
): Edit[] {
  const idOf = (path: string) => aliasOf({ path, url: '' }, to)
  const former = idOf(from)
  // Names count from the module of the page.
  const moved = (name: string) => {
    const file = asciidoc?.fileOf(from, name, 'page')
    return file === undefined ? name : file === to ? '' : idOf(file)
  }
  let end: number | undefined
  for (const line of splitLines(text)) {
    const words = text.slice(line.start, line.end)
    const entry = entryOf(words)
    if (entry?.name === field && entry.value !== undefined) {
      const names = entry.value.split(',').map((name) => (name.trim() === '' ? '' : moved(name.trim())))
      const value = [former, ...names.filter((name) => name !== former && name !== '')].join(', ')
      const at = line.end - words.length + words.indexOf(':', 1) + 1
      return [{ start: at, end: line.end, text: ` ${value}` }]
    }
    if (words.trim() === '' && end !== undefined) break
    if (/^[=#]\s/.test(words) || (end !== undefined && words.trim() !== ''))
      end = line.end + line.ending.length
    else if (end === undefined && words.trim() !== '' && entry === undefined && !/^(?:\/\/|\[)/.test(words))
      break
  }
  const at = end ?? 0
  const ending = endingAt(text, at)
  const entry = `:${field}: ${former}`
  const isOpen = at > 0 && text[at - 1] !== '\n'
  return [
    {
      start: at,
      end: at,
      text: isOpen
        ? `${ending}${entry}`
        : end === undefined
          ? `${entry}${ending}${ending}`
          : `${entry}${ending}`,
    },
  ]
}
