import { parse } from 'smol-toml'
import { isRecord } from '../../lib/is-record.ts'
import { type Edit, endingAt, splitLines } from '../text/text-file.ts'
import type { RedirectEntry, RedirectList, SourceFile, Span } from './navigation-tree.ts'

/** A redirect of a host's file as it is written. */
interface Written {
  from: string
  to: string
  /** Its lines, with the end of the last one. */
  lines: Span
  toNode: Span
  /** Whether it leads one address to another, and nothing else. */
  isPlain: boolean
}

interface Format {
  written: readonly Written[]
  /** The lines of one redirect, each with its end. */
  lines: (from: string, to: string, sample: Written | undefined) => string
  /** Whether an empty line is between two of them. */
  isSpaced: boolean
  /** A new address in the place of the old one. */
  target: (to: string) => string
}

/**
 * The redirects of a file that a host reads: `_redirects`, or `netlify.toml`. Undefined for another file.
 * @param prefix the path that the site is served below
 */
export function hostRedirects(file: SourceFile, prefix: string): RedirectList | undefined {
  const format = formatOf(file)
  if (format === undefined) return undefined
  const { text } = file
  const inside = (address: string): string =>
    prefix !== '' && address.startsWith(`${prefix}/`) ? address.slice(prefix.length) : address
  const plain = format.written.filter(({ isPlain }) => isPlain)
  return {
    path: file.path,
    entries: format.written.map(({ from, to, lines, toNode, isPlain }): RedirectEntry => {
      const [address = '', hash] = to.split('#', 2)
      const write = (url: string, kept: string | undefined) =>
        format.target(`${prefix}${url}${kept === undefined ? '' : `#${kept}`}`)
      const own = { from, to, lines, toNode, isPlain }
      return {
        from: inside(from),
        to: isPlain ? inside(address) : undefined,
        hash,
        retarget: (url, kept): Edit[] => (isPlain ? [{ ...toNode, text: write(url, kept) }] : []),
        whole: isPlain
          ? {
              replace: (old, url) => [
                { ...lines, text: format.lines(`${prefix}${old}`, `${prefix}${url}`, own) },
              ],
              remove: () => [{ ...lines, text: '' }],
            }
          : undefined,
      }
    }),
    nameOf: ({ url }) => url,
    isSame: (one, other) => keyOf(one) === keyOf(other),
    append: (from, to): Edit[] => {
      // The first redirect that fits is the one that counts.
      const catching = format.written.find((one) => !one.isPlain && catches(one.from, `${prefix}${from}`))
      const entry = format.lines(`${prefix}${from}`, `${prefix}${to}`, plain.at(-1))
      const at = catching?.lines.start ?? plain.at(-1)?.lines.end ?? text.length
      const isOpen = at > 0 && text[at - 1] !== '\n'
      const gap = format.isSpaced ? endingAt(text, 0) : ''
      const own = catching === undefined ? `${gap}${entry}` : `${entry}${gap}`
      return [{ start: at, end: at, text: `${isOpen ? endingAt(text, at) : ''}${own}` }]
    },
  }
}

function formatOf(file: SourceFile): Format | undefined {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1)
  if (name === '_redirects') return linesFormat(file)
  return name === 'netlify.toml' ? tomlFormat(file) : undefined
}

const plainLine = /^(\s{0,20})(\S{1,2000})(\s{1,200})(\S{1,2000})(?:(\s{1,200})(\d{3})!?)?\s{0,200}$/

function linesFormat({ text }: SourceFile): Format {
  const written = splitLines(text).flatMap(({ start, end, ending }): Written[] => {
    const line = text.slice(start, Math.min(end, start + 5000))
    if (line.trim() === '' || line.trim().startsWith('#')) return []
    const [, indent = '', from, space = '', to, , status] = plainLine.exec(line) ?? []
    const lines = { start, end: end + ending.length }
    if (from === undefined || to === undefined) {
      const [any = ''] = line.trim().split(/\s/, 1)
      return [{ from: any, to: '', lines, toNode: { start: end, end }, isPlain: false }]
    }
    const toStart = start + indent.length + from.length + space.length
    const toNode = { start: toStart, end: toStart + to.length }
    return [{ from, to, lines, toNode, isPlain: isPlainRedirect({ from, to, status }) }]
  })
  return {
    written,
    isSpaced: false,
    target: (to) => to,
    lines: (from, to, sample) => {
      const [, , , space = ' ', , more = '', status = ''] =
        sample === undefined ? [] : (plainLine.exec(text.slice(sample.lines.start, sample.lines.end)) ?? [])
      const ending = endingAt(text, sample?.lines.start ?? 0)
      // Columns that are lined up cannot be kept for addresses of other lengths.
      return `${from}${space.includes('\t') ? space : ' '}${to}${status === '' ? '' : `${more.includes('\t') ? more : ' '}${status}`}${ending}`
    },
  }
}

const block = '[[redirects]]'

function tomlFormat({ text }: SourceFile): Format | undefined {
  if (parsed(text) === undefined) return undefined
  const all = splitLines(text)
  const written: Written[] = []
  for (let at = 0; at < all.length; at++) {
    if (lineAt(text, all[at]).split('#', 1)[0]?.trim() !== block) continue
    let end = at + 1
    while (end < all.length && !lineAt(text, all[end]).startsWith('[')) end++
    const inner = all.slice(at + 1, end)
    // Blank lines and comments behind the last setting belong to what follows.
    let last = at
    inner.forEach((line, index) => {
      if (/^[^#\s]/.test(lineAt(text, line))) last = at + 1 + index
    })
    const [first, final] = [all[at], all[last]]
    const source = first === undefined || final === undefined ? '' : text.slice(first.start, final.end)
    const list = parsed(source)?.['redirects']
    const data: unknown = Array.isArray(list) ? list[0] : undefined
    const toLine = inner.find((line) => /^to\s{0,20}=/.test(lineAt(text, line)))
    if (first === undefined || final === undefined || !isRecord(data)) continue
    const { from, to, status, ...others } = data
    const toNode = toLine === undefined ? undefined : valueIn(text, toLine)
    const hasMore = lineAt(text, all[end]).startsWith('[redirects.')
    const isPlain =
      toNode !== undefined &&
      !hasMore &&
      Object.keys(others).length === 0 &&
      isPlainRedirect({ from, to, status })
    written.push({
      from: typeof from === 'string' ? from : '',
      to: typeof to === 'string' ? to : '',
      lines: { start: first.start, end: final.end + final.ending.length },
      toNode: toNode ?? { start: final.end, end: final.end },
      isPlain,
    })
    at = end - 1
  }
  const last = written.at(-1)
  return {
    written,
    isSpaced:
      last === undefined || last.lines.start === 0 || /\n\r?\n$/.test(text.slice(0, last.lines.start)),
    target: (to) => JSON.stringify(to),
    lines: (from, to, sample) => {
      const like = sample === undefined ? '' : text.slice(sample.lines.start, sample.lines.end)
      const [indent = ''] = /^[ \t]{1,8}(?=from)/m.exec(like) ?? []
      const [status] = /^[ \t]{0,8}status\s{0,20}=\s{0,20}\d{3}/m.exec(like) ?? []
      const ending = endingAt(text, sample?.lines.start ?? 0)
      const settings = [`from = ${JSON.stringify(from)}`, `to = ${JSON.stringify(to)}`]
      if (status !== undefined) settings.push(status.trim())
      const lines = [block, ...settings.map((setting) => `${indent}${setting}`)]
      return `${lines.join(ending)}${ending}`
    },
  }
}

function lineAt(text: string, line: Span | undefined): string {
  return line === undefined ? '' : text.slice(line.start, Math.min(line.end, line.start + 5000)).trim()
}

/** A text in quotes behind `=`. */
function valueIn(text: string, { start, end }: Span): Span | undefined {
  const line = text.slice(start, Math.min(end, start + 5000))
  const [, before = '', value] = /^([^=]{1,100}=\s{0,20})("[^"\\]{0,2000}"|'[^']{0,2000}')/.exec(line) ?? []
  if (value === undefined) return undefined
  return { start: start + before.length, end: start + before.length + value.length }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return text.length > 250_000 ? undefined : parse(text)
  } catch {
    return undefined
  }
}

/** Whether a redirect leads one address of a site to another one, and does nothing else. */
export function isPlainRedirect({
  from,
  to,
  status,
}: {
  from: unknown
  to: unknown
  status?: unknown
}): boolean {
  return (
    typeof from === 'string' &&
    typeof to === 'string' &&
    /^\/[^\s*:?#{}()\\]{0,2000}$/.test(from) &&
    /^\/(?![/\\])[^\s*:?{}()\\]{0,2000}$/.test(to) &&
    (status === undefined ||
      ((typeof status === 'number' || typeof status === 'string') && /^30[1278]!?$/.test(`${status}`)))
  )
}

/** Whether a pattern takes this address: `/docs/*`, `/:name`. */
function catches(pattern: string, address: string): boolean {
  const wild = pattern.search(/[*:]/)
  return wild === -1 ? keyOf(pattern) === keyOf(address) : address.startsWith(pattern.slice(0, wild))
}

/** Hosts serve a file of a page with and without its ending, and a folder with and without the slash. */
function keyOf(address: string): string {
  return address
    .replace(/\.html$/, '')
    .replace(/(^|\/)index$/, '$1')
    .replace(/(?<=[^/])\/$/, '')
}
