import { z } from 'zod'
import { contentHash } from '../../../site/text/content-hash.ts'
import { encodeText } from '../../../site/text/encoding.ts'
import { type Edit, applyEdits } from '../../../site/text/text-file.ts'
import { type Workspace } from '../workspace/workspace.ts'
import { quote } from '../../../lib/quote.ts'
import { openText } from './open-text.ts'
import { type Range, findPlaces } from './find-places.ts'
import type { ReadRecord } from './read-record.ts'
import { type AgentTool, defineTool } from './tool.ts'
import { ToolError } from '../../../lib/tool-error.ts'
import type { PathGuard } from './path-guard.ts'

const maxLength = 4 * 1024 * 1024

const replacement = z.object({
  search: z.string().min(1).describe('The text as it stands in the file, line breaks included'),
  replace: z.string().describe('What comes in its place; empty to take it out'),
  line: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('The line where `search` starts, as read_file numbered it before this call'),
  all: z.boolean().optional().describe('Replace every occurrence'),
})

export function editFileTool(workspace: Workspace, reads: ReadRecord, guard: PathGuard): AgentTool {
  return defineTool({
    name: 'edit_file',
    description:
      'Replaces exact texts in a file that was read with read_file. `search` is the text as it stands in the file, without ' +
      'line numbers, and may span lines. It must occur once, unless `line` (where it starts) or `all` is given. ' +
      'The edits of one call are made one after the other, all or none, and a text that one of them brought in does not make a later `search` ambiguous; after an edit the file need not be read again. ' +
      'Line ends stay in the form that the file has, unless `search` or `replace` holds \r\n: then both are taken as they are.',
    input: z.object({ path: z.string(), edits: z.array(replacement).min(1).max(200) }),
    run: async ({ path, edits }) => {
      const { text, encoding, content } = await openText(workspace, path)
      await guard.requireWritable(path)
      requireRead(reads, path, contentHash(content))
      let current = text
      let replacements = 0
      let written: Range[] = []
      const shifts: { line: number; by: number }[] = []
      const lineNow = (line: number) =>
        shifts.reduce((now, shift) => (now > shift.line ? now + shift.by : now), line)
      for (const wanted of edits) {
        const places = findPlaces(current, { path, lineNow, written }, wanted)
        const by = linesOf(wanted.replace) - linesOf(wanted.search)
        // From the last to the first, so that the lines before them are still right.
        for (const { line } of places.toReversed()) if (by !== 0) shifts.push({ line, by })
        const made = places.flatMap(({ edit }) => edit ?? [])
        current = applyEdits(current, made)
        written = writtenAfter(written, made)
        if (current.length > maxLength) throw new ToolError('too_large', 'The file would become too large')
        replacements += places.length
      }
      const changed = encodeText(current, encoding)
      if (current !== text) workspace.write(path, changed)
      return { path, hash: contentHash(changed), replacements }
    },
  })
}

export function requireRead(reads: ReadRecord, path: string, hash: string): void {
  const state = reads.state(path)
  if (state === undefined) {
    throw new ToolError('not_read', `Read ${quote(path)} with read_file before changing it`)
  }
  if (state === 'stale' || state.hash !== hash) {
    throw new ToolError('stale', `${quote(path)} has changed since it was read: read it again`)
  }
}

/** Where earlier text and that of `edits`, made in the order of the file, stand by now. Of very many none is remembered. */
function writtenAfter(earlier: readonly Range[], edits: readonly Edit[]): Range[] {
  if (earlier.length > 1000 || edits.length > 100) return []
  const added: Range[] = []
  let shift = 0
  const moved = earlier.map((range) => ({ ...range }))
  for (const { start, end, text } of edits) {
    const by = text.length - (end - start)
    for (const [index, range] of earlier.entries()) {
      const now = moved[index]
      if (now === undefined || range.end <= start) continue
      now.end += by
      if (range.start >= end) now.start += by
    }
    added.push({ start: start + shift, end: start + shift + text.length })
    shift += by
  }
  return [...moved.filter((range) => range.start < range.end), ...added]
}

function linesOf(text: string): number {
  return text.split('\n').length
}
