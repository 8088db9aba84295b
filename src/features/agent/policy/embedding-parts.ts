import type { ActivePart } from './active-part.ts'
import { shown } from './active-part.ts'
import { fencedRanges } from './code-ranges.ts'
import { includesIn } from './include-parts.ts'

const maxIncludes = 50
const maxCandidates = 3
const fence = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))(.*)$/

/**
 * What only comes of putting a file into a page: one that ends the code block that it stands in, so that what both show
 * as code is alive, or one that leaves a block open for what follows.
 */
export async function embeddingParts(
  text: string,
  paths: readonly string[],
  readText: (path: string) => Promise<string>,
): Promise<ActivePart[]> {
  const includes = includesIn(text).slice(0, maxIncludes)
  if (includes.length === 0) return []
  const code = fencedRanges(text, { mdx: false, python: false })
  const parts: ActivePart[] = []
  for (const { path, at } of includes) {
    const name = path.replace(/^[;~@]?(?:\.{0,2}\/)*/, '').replace(/[#:{].*/s, '')
    if (name === '') continue
    const candidates = paths.filter((one) => one === name || one.endsWith(`/${name}`)).slice(0, maxCandidates)
    for (const candidate of candidates) {
      const { hasFence, isOpen } = fencesOf(await readText(candidate))
      const isInCode = code.some(([start, end]) => start <= at && at < end)
      if (isInCode ? !hasFence : !isOpen) continue
      const line = text.slice(0, at).split('\n').length
      const what = isInCode
        ? `the file ${shown(path)} to a code block, which it ends`
        : `the file ${shown(path)}, which leaves a code block or comment open`
      parts.push({ key: `embedding ${isInCode} ${path}`, line, what, search: name })
    }
  }
  return parts
}

function fencesOf(text: string): { hasFence: boolean; isOpen: boolean } {
  let hasFence = false
  let open: string | undefined
  for (const line of text.split('\n')) {
    const [, marker, rest = ''] = fence.exec(line.trimEnd()) ?? []
    if (/^[ \t>]*(?:`{3}|~{3})/.test(line)) hasFence = true
    if (marker === undefined) continue
    if (open === undefined) {
      if (!(marker.startsWith('`') && rest.includes('`'))) open = marker
    } else if (rest.trim() === '' && marker[0] === open[0] && marker.length >= open.length) open = undefined
  }
  return { hasFence, isOpen: open !== undefined || text.lastIndexOf('<!--') > text.lastIndexOf('-->') }
}
