import { readText } from '../../../site/text/encoding.ts'
import { readBlobs } from '../../../integrations/git/trees/blob-reader.ts'
import { treeEntries } from '../../../integrations/git/trees/tree-entries.ts'
import type { Repository } from '../../../integrations/git/git.ts'

/** Bytes of a file beyond which nobody comments on its lines. */
const longestFile = 2 * 1024 * 1024
const longestLine = 2000

export interface Lines {
  /** git's id of the file. */
  file: string
  lines: string[]
}

/** The lines of text files of a commit or tree, by path. What is no text, too large or not there is left out. */
export async function readLines(
  repository: Repository,
  revision: string,
  paths: Iterable<string>,
): Promise<Map<string, Lines>> {
  const entries = [...(await treeEntries(repository, revision, paths))].filter(([, { mode }]) =>
    mode.startsWith('100'),
  )
  const contents = new Map<string, string[]>()
  const files = new Set(entries.map(([, { oid }]) => oid))
  if (files.size === 0) return new Map()
  for await (const blob of readBlobs(repository, files, { maxBytes: longestFile, deadline: 20_000 }))
    if (blob.state === 'read' && !blob.content.includes(0))
      contents.set(blob.oid, linesOf(readText(blob.content)))
  return new Map(
    entries.flatMap(([path, { oid }]) => {
      const lines = contents.get(oid)
      return lines === undefined ? [] : [[path, { file: oid, lines }] as const]
    }),
  )
}

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => line.slice(0, longestLine).replace(/\r$/, '').toWellFormed())
}
