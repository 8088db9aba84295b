import { parse } from 'jsonc-parser'
import { isRecord } from '../../lib/is-record.ts'
import { folderOf, joinPath } from '../text/paths.ts'
import type { ReadFile } from '../frameworks/site.ts'

const maxFiles = 200
const maxDepth = 60
/** Files that bring each other many times over are otherwise without end. */
const maxValues = 200_000

/** A JSON file with every `{"$ref": "./other.json"}` replaced by that file's content; other keys beside it win. */
export async function expandReferences(
  read: ReadFile,
  path: string,
): Promise<{ value: unknown; files: string[] }> {
  const files = new Map<string, unknown>()
  let values = 0
  const load = async (file: string, open: readonly string[]): Promise<unknown> => {
    try {
      if (!files.has(file)) files.set(file, undefined).set(file, await parseFile(read, file))
      return await expand(files.get(file), file, [...open, file], 0)
    } catch (error) {
      // Nested deeper than the stack: no configuration that a person wrote.
      if (error instanceof RangeError) return undefined
      throw error
    }
  }
  const expand = async (
    value: unknown,
    file: string,
    open: readonly string[],
    depth: number,
  ): Promise<unknown> => {
    values += 1
    if (depth > maxDepth || values > maxValues) return undefined
    if (Array.isArray(value)) {
      const entries: unknown[] = []
      for (const entry of value) {
        const expanded = await expand(entry, file, open, depth + 1)
        // A reference in a list may bring a list.
        if (isRecord(entry) && '$ref' in entry && Array.isArray(expanded))
          for (const one of expanded) entries.push(one)
        else entries.push(expanded)
      }
      return entries
    }
    if (!isRecord(value)) return value
    const reference = value['$ref']
    const target =
      typeof reference === 'string'
        ? joinPath(reference.startsWith('/') ? folderOf(path) : folderOf(file), reference)
        : undefined
    const base =
      target === undefined || open.includes(target) || files.size >= maxFiles
        ? undefined
        : await load(target, open)
    if (base !== undefined && Object.keys(value).length === 1) return base
    const expanded: Record<string, unknown> = isRecord(base) ? { ...base } : {}
    for (const [key, entry] of Object.entries(value))
      if (key !== '$ref') expanded[key] = await expand(entry, file, open, depth + 1)
    return expanded
  }
  return { value: await load(path, []), files: [...files.keys()] }
}

async function parseFile(read: ReadFile, file: string): Promise<unknown> {
  const source = await read(file)
  if (source === undefined || source.length > 5_000_000) return undefined
  return parse(source, [], { allowTrailingComma: true })
}
