import { z } from 'zod'
import { contentHash } from '../text/content-hash.ts'
import { applyEdits, encode, splitLines } from '../text/text-file.ts'
import { editThroughView, viewText } from '../text/text-view.ts'
import { type Workspace, quote } from '../workspace.ts'
import { requireRead } from './edit-file.ts'
import { openText } from './open-text.ts'
import type { PathGuard } from './path-guard.ts'
import type { ReadRecord } from './read-record.ts'
import { type AgentTool, defineTool } from './tool.ts'
import { ToolError } from './tool-error.ts'

const maxReplacedLines = 150
const maxCharacters = 200_000

export function writeFileTool(workspace: Workspace, reads: ReadRecord, guard: PathGuard): AgentTool {
  return defineTool({
    name: 'write_file',
    description:
      'Writes a new file, or replaces a short one (at most 150 lines) that was read. Change longer ones with edit_file. ' +
      'A new page usually needs front matter and add_to_navigation as well.',
    input: z.object({ path: z.string(), content: z.string().max(maxCharacters) }),
    run: async ({ path, content }) => {
      if (!content.isWellFormed() || content.includes('\0')) {
        throw new ToolError('invalid_input', 'The content holds a character that no text file can')
      }
      guard.requireWritable(path)
      const bytes = workspace.has(path) ? await replaced(path, content) : encode(withFinalNewline(content))
      workspace.write(path, bytes)
      return { path, hash: contentHash(bytes) }
    },
  })

  async function replaced(path: string, content: string): Promise<Uint8Array> {
    const present = await openText(workspace, path)
    requireRead(reads, path, contentHash(present.content))
    const { text } = present
    if (splitLines(text).length > maxReplacedLines) {
      throw new ToolError(
        'too_long',
        `${quote(path)} has more than ${maxReplacedLines} lines: change it with edit_file`,
      )
    }
    // read_file does not show how a file ends, so the model cannot have meant to change that.
    const ended =
      text === '' || text.endsWith('\n') ? withFinalNewline(content) : content.replace(/\r?\n$/, '')
    const view = viewText(text)
    const edit = editThroughView(
      text,
      view,
      { start: 0, end: view.text.length },
      ended.replace(/^\uFEFF/, ''),
    )
    return encode(edit === undefined ? text : applyEdits(text, [edit]))
  }
}

function withFinalNewline(content: string): string {
  return content === '' || content.endsWith('\n') ? content : `${content}\n`
}
