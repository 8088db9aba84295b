import type { Masked } from './mask.ts'
import { quotation } from './mask.ts'
import type { Scope } from './request.ts'

const everywhere =
  /^(?:everywhere|globally|throughout|all over|(?:in |across |throughout |over |on |of )?(?:all |the |our |my |these |this |every |each |whole |entire |complete |of )*(?:docs?|documentation|documents?|pages?|files?|articles?|site|website|repo|repository|project|manual|place|content))$/i

const prepositions = 'in|on|from|across|throughout|within|under|inside|at|for|of|to|over|below'
const preposition = new RegExp(`^(?:${prepositions})\\s+`, 'i')
const folderForm = new RegExp(
  `^(?:(?:all |every |the |our )*(?:pages?|files?|docs|documents|everything) (?:in|under|of|inside|below) )?(?:the )?(${quotation}|[^\\s]{1,300}?)(?: (?:folder|directory))?(?: and (?:its |all )?sub-?(?:folders|directories))?$`,
  'i',
)

/** An optional end of a request that says where; the captured group goes to `readScope`. */
export const scopeEnd =
  `(?:,?\\s+((?:everywhere|globally|throughout|all over|(?:${prepositions})\\s+(?:${quotation}|[^\\s])[^\\n]{0,300}?)` +
  `(?:,?\\s+(?:in|across|throughout) (?:all |the )*(?:docs|documentation|pages|site))?))?`

export function readScope(piece: string | undefined, masked: Masked): Scope {
  if (piece === undefined) return { kind: 'everywhere' }
  const said = piece.trim().replace(/(?<![.!?,;])[.!?,;]+$/, '')
  if (said === '' || everywhere.test(said)) return { kind: 'everywhere' }
  const named = said.replace(preposition, '').trim()
  if (named === '' || everywhere.test(named)) return { kind: 'everywhere' }
  const value = masked.valueOf(named)
  const folder = folderForm.exec(named)
  const path = folder?.[1] === undefined ? undefined : masked.valueOf(folder[1])
  const isFolder = /\b(?:folder|directory)\b/i.test(named) || path?.endsWith('/') === true
  const ofMany =
    /^(?:all |every |the |our )*(?:pages?|files?|docs|everything) (?:in|under|of|inside|below) /i.test(named)
  if (path !== undefined && (isFolder || ofMany)) return { kind: 'folder', path: trimSlashes(path) }
  return { kind: 'pages', named: value === named ? masked.restore(named) : value }
}

function trimSlashes(path: string): string {
  let start = 0
  let end = path.length
  while (path.startsWith('./', start)) start += 2
  while (start < end && path[start] === '/') start += 1
  while (end > start && path[end - 1] === '/') end -= 1
  return path.slice(start, end)
}
