/** A line of Markdown, and the line of the source that it is made of. */
export interface OutLine {
  text: string
  index: number
}

export function blankAt([first]: readonly OutLine[]): OutLine {
  return { text: '', index: first?.index ?? 0 }
}

export function prefixed(lines: readonly OutLine[], first: string, rest: string): OutLine[] {
  return lines.map(({ text, index }, at) => ({
    text: at === 0 ? `${first}${text}` : text === '' ? rest.trimEnd() : `${rest}${text}`,
    index,
  }))
}

export function fence(lines: readonly OutLine[], language: string, caption?: string): OutLine[] {
  const first = lines[0]?.index ?? 0
  let most = 2
  for (const { text } of lines) most = Math.max(most, /^\s*(`{3,})/.exec(text)?.[1]?.length ?? 0)
  const mark = '`'.repeat(most + 1)
  const body = lines.map(({ text, index }) => ({ text, index }))
  const last = lines.at(-1)?.index ?? first
  return [
    ...(caption === undefined
      ? []
      : [
          { text: caption, index: first },
          { text: '', index: first },
        ]),
    { text: `${mark}${/^[\w+#.-]{1,40}$/.test(language) ? language : ''}`, index: first },
    ...body,
    { text: mark, index: last },
  ]
}

/** A table of cells in Markdown. */
export function writeTable(
  texts: readonly { index: number; cells: readonly string[] }[],
  hasHead: boolean,
  index: number,
): OutLine[] {
  let width = 0
  for (const { cells } of texts) width = Math.max(width, cells.length)
  if (width === 0) return []
  const allRows = !hasHead ? [{ index, cells: [] as string[] }, ...texts] : texts
  const line = ({ cells, index: at }: (typeof allRows)[number]): OutLine => ({
    text: `| ${Array.from({ length: width }, (_, column) => cells[column] ?? '').join(' | ')} |`,
    index: at,
  })
  const [first, ...others] = allRows
  if (first === undefined) return []
  return [line(first), { text: `|${' --- |'.repeat(width)}`, index: first.index }, ...others.map(line)]
}
