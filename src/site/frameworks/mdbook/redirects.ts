import { parse } from 'smol-toml'
import { type Edit, endingAt, splitLines } from '../../text/text-file.ts'
import type { RedirectList, SourceFile, Span } from '../../navigation/navigation-tree.ts'
import { folderOf, relativePath } from '../../text/paths.ts'
import { wholeLines } from '../../navigation/edit-lines.ts'

interface Written {
  from: string
  to: string
  /** The address that the target leads to from where the redirect is. */
  target: string
  line: Span
}

/**
 * The redirects in a table of a TOML file, one on each line: `"/old.html" = "new.html"`. Undefined where the file has
 * no such table.
 */
export function tomlRedirects(file: SourceFile, table: string): RedirectList | undefined {
  const { text } = file
  let isInside = false
  let end: number | undefined
  const written: Written[] = []
  for (const line of splitLines(text)) {
    const source = text.slice(line.start, Math.min(line.end, line.start + 4000)).trim()
    if (source.startsWith('[')) isInside = source.split('#', 1)[0]?.trimEnd() === `[${table}]`
    if (!isInside) continue
    if (source !== '' && !source.startsWith('#')) end = line.end
    const entry = source.startsWith('[') ? undefined : entryOf(source)
    if (entry !== undefined) written.push({ ...entry, line })
  }
  const at = end
  if (at === undefined) return undefined
  const lineOf = (from: string, to: string) =>
    `${JSON.stringify(from)} = ${JSON.stringify(relativeTo(from, to))}`
  return {
    path: file.path,
    entries: written.map(({ from, target, line }) => {
      const [to, hash] = target.split('#', 2)
      const write = (old: string, next: string): Edit[] => [
        { start: line.start, end: line.end, text: lineOf(old, next) },
      ]
      return {
        from,
        to,
        hash,
        retarget: (next, kept) => write(from, kept === undefined ? next : `${next}#${kept}`),
        whole: { replace: write, remove: () => [wholeLines(text, line)] },
      }
    }),
    nameOf: ({ url }) => url,
    isSame: (one, other) => keyOf(one) === keyOf(other),
    append: (from, to) => [{ start: at, end: at, text: `${endingAt(text, at - 1)}${lineOf(from, to)}` }],
  }
}

function entryOf(source: string): { from: string; to: string; target: string } | undefined {
  try {
    const [[from, to] = []] = Object.entries(parse(source))
    if (from === undefined || typeof to !== 'string') return undefined
    const isElsewhere = /^[a-z][a-z\d+.-]*:|^\/\//i.test(to)
    return {
      from,
      to,
      target: isElsewhere
        ? to
        : new URL(to, `https://site.invalid${from}`).href.slice('https://site.invalid'.length),
    }
  } catch {
    return undefined
  }
}

/** mdBook writes the page of a redirect at its address, so that a relative target works wherever the book is served. */
function relativeTo(from: string, to: string): string {
  const [path = '', hash] = to.split('#', 2)
  const relative = relativePath(folderOf(from), path.slice(1), false)
  return hash === undefined ? relative : `${relative}#${hash}`
}

function keyOf(address: string): string {
  return address.replace(/(?:^|(?<=\/))index\.html$/, '')
}
