import { isMap, isNode, isSeq } from 'yaml'
import { isHostileYaml } from '../../../lib/text/hostile-yaml.ts'
import type { IgnoreEntry } from '../../../lib/prompts/ignore-prompt.ts'
import { parseYamlDocument } from '../../../lib/text/yaml.ts'
import { yamlScalar } from '../../text/yaml-scalar.ts'
import { ignorePath, longestIgnoreFile, readIgnored } from './ignored-problems.ts'
import type { SiteProblemKind } from './site-problem.ts'

const longestText = 500

/** The entry for problems of a kind: all of them, those of a file, or the one with this message. */
export function ignoreEntry(kind: SiteProblemKind, path?: string, message?: string): IgnoreEntry {
  // A message may hold the text of a page, and what it ends with says less.
  const text = message?.slice(0, longestText).toWellFormed()
  return { kind, path: path === undefined ? undefined : literally(path), text }
}

/** A file as a pattern that means no other: `?` stands for signs that mean more, and `/` before a file at the top. */
function literally(path: string): string {
  const pattern = path.replaceAll(/[*?[\]{}]/g, '?')
  return pattern.includes('/') ? pattern : `/${pattern}`
}

export function writeEntry(entry: IgnoreEntry, indent = '  '): string {
  const fields = Object.entries(entry).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name}: ${yamlScalar(value)}`] : [],
  )
  return `${indent}- ${fields.join(`\n${indent}  `)}`
}

/** A whole file with one entry. */
export function writeIgnoreFile(entry: IgnoreEntry): string {
  return `ignore:\n${writeEntry(entry)}\n`
}

/** A place of the file, and what stands there instead. */
interface Insertion {
  start: number
  end: number
  replace: string
}

/** What adds an entry to a file that is there, or why it cannot be added. Never throws on any text. */
export function entryInsertion(text: string, entry: IgnoreEntry): Insertion | string {
  const insertion = placeOf(text, entry)
  if (typeof insertion === 'string') return insertion
  const after = inserted(text, insertion)
  const { wrong } = readIgnored(after)
  const isRead = after.length <= longestIgnoreFile && wrong.length <= readIgnored(text).wrong.length
  return isRead ? insertion : (wrong.at(-1)?.message ?? 'the file would become too long')
}

function placeOf(text: string, entry: IgnoreEntry): Insertion | string {
  const byHand = `add the entry to ${ignorePath} by hand`
  if (text.length > longestIgnoreFile || isHostileYaml(text)) return `it is too long or too deep: ${byHand}`
  const document = parseYamlDocument(text, { unique: true })
  if (document.errors.length > 0) return `it is not YAML: ${byHand}`
  const { contents } = document
  // Nothing but comments.
  if (contents === null || (isNode(contents) && contents.range?.[0] === contents.range?.[1]))
    return { start: text.length, end: text.length, replace: `${opened(text)}ignore:\n${writeEntry(entry)}\n` }
  const list = isMap(contents) ? contents.get('ignore', true) : undefined
  if (!isSeq(list) || !list.range) return `it has no list named \`ignore\`: ${byHand}`
  const [start, end] = list.range
  if (list.flow === true)
    return list.items.length === 0
      ? { start, end, replace: `\n${writeEntry(entry)}` }
      : `its list is on one line: ${byHand}`
  const indent = /^[ ]*(?=-)/.exec(text.slice(text.lastIndexOf('\n', start - 1) + 1))?.[0]
  if (indent === undefined) return `its list is written in an unusual way: ${byHand}`
  const last = text.slice(0, end).trimEnd().length
  const lineEnd = text.indexOf('\n', last)
  const at = lineEnd === -1 ? text.length : text[lineEnd - 1] === '\r' ? lineEnd - 1 : lineEnd
  return { start: at, end: at, replace: `\n${writeEntry(entry, indent)}` }
}

function opened(text: string): string {
  return text === '' || text.endsWith('\n') ? '' : '\n'
}

function inserted(text: string, { start, end, replace }: Insertion): string {
  return text.slice(0, start) + replace + text.slice(end)
}

/** Whether a file differs by nothing but the entry. */
export function addsOnly(before: string | undefined, after: string, entry: IgnoreEntry): boolean {
  const plain = (text: string): string => text.replaceAll('\r\n', '\n').trimEnd()
  if (before === undefined) return plain(after) === plain(writeIgnoreFile(entry))
  const text = plain(before)
  const insertion = entryInsertion(text, entry)
  return typeof insertion !== 'string' && plain(inserted(text, insertion)) === plain(after)
}
