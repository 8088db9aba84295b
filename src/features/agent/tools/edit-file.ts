import { z } from 'zod'
import { closestLines } from '../text/closest-lines.ts'
import { contentHash } from '../text/content-hash.ts'
import { type Edit, applyEdits, encode } from '../text/text-file.ts'
import { type TextView, editThroughView, viewText } from '../text/text-view.ts'
import { type Workspace, quote } from '../workspace.ts'
import { openText } from './open-text.ts'
import type { ReadRecord } from './read-record.ts'
import { numbered } from './read-file.ts'
import { type AgentTool, defineTool } from './tool.ts'
import { ToolError } from './tool-error.ts'
import type { PathGuard } from './path-guard.ts'

const maxOccurrences = 10_000

const replacement = z.object({
  search: z.string().min(1),
  replace: z.string(),
  line: z.number().int().min(1).optional(),
  all: z.boolean().optional(),
})
type Replacement = z.infer<typeof replacement>

export function editFileTool(workspace: Workspace, reads: ReadRecord, guard: PathGuard): AgentTool {
  return defineTool({
    name: 'edit_file',
    description:
      'Replaces exact texts in a file that was read with read_file. `search` is the text as it stands in the file, without ' +
      'line numbers, and may span lines. It must occur once, unless `line` (where it starts) or `all` is given. ' +
      'The edits of one call are made one after the other, all or none.',
    input: z.object({ path: z.string(), edits: z.array(replacement).min(1).max(200) }),
    run: async ({ path, edits }) => {
      const { text, content } = await openText(workspace, path)
      guard.requireWritable(path)
      requireRead(reads, path, contentHash(content))
      let current = text
      let replacements = 0
      for (const edit of edits) {
        const view = viewText(current)
        const starts = occurrences(view, path, edit)
        current = applyEdits(
          current,
          starts.flatMap((start) => editAt(current, view, start, edit) ?? []),
        )
        if (current.length > 4 * 1024 * 1024)
          throw new ToolError('too_large', 'The file would become too large')
        replacements += starts.length
      }
      const changed = encode(current)
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

function editAt(file: string, view: TextView, start: number, edit: Replacement): Edit | undefined {
  const end = start + normalised(edit.search).length
  return editThroughView(file, view, { start, end }, edit.replace)
}

function occurrences(view: TextView, path: string, edit: Replacement): number[] {
  if (!edit.replace.isWellFormed() || edit.replace.includes('\0')) {
    throw new ToolError('invalid_input', 'The replacement holds a character that no text file can')
  }
  const search = normalised(edit.search)
  const found: { start: number; line: number }[] = []
  let line = 1
  let counted = 0
  for (let at = view.text.indexOf(search); at !== -1; at = view.text.indexOf(search, at + search.length)) {
    for (let newline = view.text.indexOf('\n', counted); newline !== -1 && newline < at;) {
      line++
      counted = newline + 1
      newline = view.text.indexOf('\n', counted)
    }
    found.push({ start: at, line })
    if (found.length > maxOccurrences) throw new ToolError('too_large', 'The text occurs too often')
  }
  if (found.length === 0) throw notFound(view, path, search)
  if (edit.all === true) return found.map((match) => match.start)
  const chosen = edit.line === undefined ? found : found.filter((match) => match.line === edit.line)
  const [first] = chosen
  if (first !== undefined && chosen.length === 1) return [first.start]
  const lines = [...new Set(found.map((match) => match.line))].slice(0, 50)
  if (first === undefined) {
    throw new ToolError('not_found', `The text is not on line ${edit.line} of ${quote(path)}`, { lines })
  }
  throw new ToolError(
    'ambiguous',
    `The text occurs ${chosen.length} times${edit.line === undefined ? '' : ' on that line'}: give more of it, its line, or all`,
    { lines },
  )
}

function notFound(view: TextView, path: string, search: string): ToolError {
  const lines = view.text.split('\n')
  const closest = closestLines(lines, search)
  const message = `${quote(path)} does not hold this text exactly`
  if (closest === undefined) return new ToolError('not_found', message)
  const from = Math.max(0, closest.line - 1)
  const region = lines.slice(from, from + Math.min(closest.count + 2, 60))
  return new ToolError('not_found', `${message}; the closest place is shown`, {
    closest: { startLine: from + 1, content: numbered(region, from + 1) },
  })
}

function normalised(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
