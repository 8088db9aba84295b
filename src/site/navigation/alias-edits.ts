import { isScalar, isSeq } from 'yaml'
import { findFrontMatter, readFrontMatter } from '../markdown/front-matter.ts'
import { editFrontMatter } from '../markdown/edit-front-matter.ts'
import { type Edit, endingAt, splitLines } from '../text/text-file.ts'
import { yamlScalar } from '../text/yaml-scalar.ts'
import { openYaml, pairOf, textOf } from '../text/yaml-source.ts'
import { insertEntry, joinRemovals, removeEntry } from './edit-container.ts'
import { yamlContainer } from './edit-lines.ts'

/**
 * The edits by which a page that moves names its former address in a field of its front matter, such as `aliases`. An
 * alias that is its new address goes. None for front matter that is laid out in another way.
 */
export function aliasEdits(text: string, field: string, { from, to }: { from: string; to: string }): Edit[] {
  const value = readFrontMatter(text).data[field]
  const known: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value]
  const isSame = (alias: unknown, url: string) => typeof alias === 'string' && bare(alias) === bare(url)
  const isKnown = known.some((alias) => isSame(alias, from))
  const block = findFrontMatter(text)
  if (block?.language === 'toml') return isKnown ? [] : tomlEdits(text, block, field, from)
  if (value === undefined || value === null) return editFrontMatter(text, field, `[${yamlScalar(from)}]`)
  if (block === undefined) return []
  const source = text.slice(block.start, block.end)
  const list = pairOf(openYaml(source)?.contents, field)?.value
  if (isScalar(list)) {
    if (isSame(textOf(list), to))
      return editFrontMatter(text, field, isKnown ? undefined : `[${yamlScalar(from)}]`)
    return isKnown
      ? []
      : editFrontMatter(text, field, `[${yamlScalar(textOf(list) ?? '')}, ${yamlScalar(from)}]`)
  }
  if (!isSeq(list) || list.items.length === 0) return []
  const container = yamlContainer({ path: '', text: source }, list)
  const gone = container.children.filter((_, index) => isSame(textOf(list.items[index]), to))
  const remaining = container.children.length - gone.length
  if (remaining === 0 && isKnown) return []
  if (remaining === 0) return editFrontMatter(text, field, `[${yamlScalar(from)}]`)
  const also = new Set(gone.map(({ start }) => start))
  const edits = gone.flatMap((child) => removeEntry({ container, child }, also))
  if (!isKnown) {
    const kept = container.children.findLast(({ start }) => !also.has(start))
    edits.push(...insertEntry(container, kept, () => yamlScalar(from)))
  }
  return joinRemovals(edits).map((edit) => ({
    ...edit,
    start: edit.start + block.start,
    end: edit.end + block.start,
  }))
}

/** `aliases = ["/x"]` in TOML. */
function tomlEdits(
  text: string,
  { start, end }: { start: number; end: number },
  field: string,
  from: string,
): Edit[] {
  const source = text.slice(start, end)
  const written = JSON.stringify(from)
  const line = splitLines(source).find(({ start: at, end: stop }) => isList(source.slice(at, stop), field))
  if (line === undefined)
    return [{ start, end: start, text: `${field} = [${written}]${endingAt(text, start)}` }]
  const at = start + source.indexOf('[', line.start) + 1
  return [{ start: at, end: at, text: /^\s*\]/.test(text.slice(at, at + 200)) ? written : `${written}, ` }]
}

/** Whether a line of TOML sets a field to a list. */
function isList(line: string, field: string): boolean {
  if (!line.startsWith(field)) return false
  const rest = line.slice(field.length).trimStart()
  return rest.startsWith('=') && rest.slice(1).trimStart().startsWith('[')
}

function bare(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '').replace(/\.html$/, '')
}
