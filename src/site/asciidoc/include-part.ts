import type { PageLine } from '../pages/page.ts'

const mark = /\b(tag|end)::([\w.-]{1,100})\[\]/

/** The lines of a file that an include names: by numbers, or by the tags around them. */
export function partOf(lines: readonly PageLine[], named: ReadonlyMap<string, string>): PageLine[] {
  const ranges = named.get('lines')
  const tags = named.get('tags') ?? named.get('tag')
  const part =
    ranges !== undefined ? inRanges(lines, ranges) : tags !== undefined ? inTags(lines, tags) : [...lines]
  const indent = named.get('indent')
  if (ranges === undefined && tags === undefined) while (part.at(-1)?.text.trim() === '') part.pop()
  return indent === undefined ? part : indented(part, Number(indent) || 0)
}

function inRanges(lines: readonly PageLine[], text: string): PageLine[] {
  const ranges = text
    .split(/[;,]/)
    .slice(0, 100)
    .map((one) => {
      const [from = '', to] = one.trim().split('..')
      const start = Number(from) || 1
      const end = to === undefined ? start : to === '' || to === '-1' ? Infinity : Number(to) || start
      return { start, end }
    })
  return lines.filter(({ line }) => ranges.some(({ start, end }) => line >= start && line <= end))
}

function inTags(lines: readonly PageLine[], text: string): PageLine[] {
  const names = text
    .split(/[;,]/)
    .slice(0, 100)
    .map((name) => name.trim())
  const wanted = new Set(names.filter((name) => !name.startsWith('!')))
  const unwanted = new Set(names.filter((name) => name.startsWith('!')).map((name) => name.slice(1)))
  // `**` is all of a file, `*` all that is between tags; with only unwanted tags, all but them.
  const outside = wanted.has('**') || (wanted.size === 0 && !unwanted.has('**'))
  const open: { name: string; isWanted: boolean }[] = []
  return lines.filter((one) => {
    const [, kind, name = ''] = mark.exec(one.text.slice(0, 2000)) ?? []
    if (kind === undefined) return open.at(-1)?.isWanted ?? outside
    if (kind === 'tag') {
      const around = open.at(-1)?.isWanted ?? outside
      const isWanted = unwanted.has(name)
        ? false
        : wanted.has(name) || (wanted.has('*') && open.length === 0)
          ? true
          : around && !unwanted.has('*')
      open.push({ name, isWanted })
    } else if (open.at(-1)?.name === name) open.pop()
    return false
  })
}

function indented(lines: readonly PageLine[], indent: number): PageLine[] {
  let least = Infinity
  for (const { text } of lines)
    if (text.trim() !== '') least = Math.min(least, text.length - text.trimStart().length)
  const before = ' '.repeat(Math.min(indent, 40))
  return lines.map((one) => (one.text.trim() === '' ? one : { ...one, text: before + one.text.slice(least) }))
}
