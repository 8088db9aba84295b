import { z } from 'zod'
import { contentHash } from '../../../../site/text/content-hash.ts'
import { decodeText, encodeEdited } from '../../../../site/text/encoding.ts'
import { applyEdits, encode, splitLines } from '../../../../site/text/text-file.ts'
import { editThroughView, viewText } from '../../../../site/text/text-view.ts'
import { type Workspace } from '../../workspace/workspace.ts'
import { quote } from '../../../../lib/text/quote.ts'
import { requireRead } from './edit-file.ts'
import { openText, type PathGuard } from '../calls/guarded-files.ts'
import type { Paths } from '../calls/paths.ts'
import type { ReadRecord } from '../calls/read-record.ts'
import { changedLines } from './text-difference.ts'
import { type AgentTool, defineTool } from '../calls/tool.ts'
import { ToolError } from '../../../../lib/tool-error.ts'

const maxReplacedLines = 150
const maxCharacters = 1_000_000

export function writeFileTool(
  workspace: Workspace,
  { reads, guard, paths }: { reads: ReadRecord; guard: PathGuard; paths: Paths },
): AgentTool {
  return defineTool({
    name: 'write_file',
    changesFiles: true,
    description:
      'Writes a new file, or replaces a short one (at most 150 lines) that was read. Change longer ones with edit_file. ' +
      'A new page usually needs front matter and add_to_navigation as well. Line ends, byte order mark and the last line end ' +
      'stay as the file has them; with `exact` they are taken from `content`, and then a file of any length can be replaced.',
    input: z.object({
      path: z.string(),
      content: z.string().max(maxCharacters),
      exact: z.boolean().optional().describe('Only when line ends or a byte order mark are to change'),
      encoding: z
        .literal('utf-8')
        .optional()
        .describe('Makes a file UTF-8 that is not; without it a file keeps its encoding'),
    }),
    run: async ({ path: given, content, exact = false, encoding }) => {
      const path = await paths.place(given)
      if (!content.isWellFormed() || content.includes('\0')) {
        throw new ToolError(
          'invalid_input',
          'The content contains a character that text files cannot contain',
        )
      }
      await guard.requireWritable(path)
      const before = workspace.has(path) ? await openText(workspace, path) : undefined
      const bytes =
        before === undefined
          ? encode(exact ? content : withFinalNewline(content))
          : replaced(path, before, content, { exact, encoding })
      workspace.write(path, bytes)
      const hash = contentHash(bytes)
      if (before === undefined) return { path, hash, created: true }
      const diff = changedLines(before.text, decodeText(bytes)?.text ?? '')
      return { path, hash, ...(diff === undefined ? {} : { diff }) }
    },
  })

  function replaced(
    path: string,
    present: Awaited<ReturnType<typeof openText>>,
    content: string,
    wanted: { exact: boolean; encoding: 'utf-8' | undefined },
  ): Uint8Array {
    if (reads.state(path) === undefined) {
      throw new ToolError(
        'not_read',
        `There is already a file ${quote(path)}: read it with read_file and edit it, or choose another path`,
      )
    }
    requireRead(reads, path, contentHash(present.content))
    const { text } = present
    const write = (after: string): Uint8Array =>
      wanted.encoding === undefined ? encodeEdited(after, present) : encode(after)
    if (wanted.exact) return write(content)
    if (splitLines(text).length > maxReplacedLines) {
      throw new ToolError(
        'too_long',
        `${quote(path)} has more than ${maxReplacedLines} lines: change it with edit_file`,
      )
    }
    // read_file does not show the end of a file, so the model cannot have meant to change that.
    const ended =
      text === '' || text.endsWith('\n') ? withFinalNewline(content) : content.replace(/\r?\n$/, '')
    const view = viewText(text)
    const edit = editThroughView(
      text,
      view,
      { start: 0, end: view.text.length },
      ended.replace(/^\uFEFF/, ''),
    )
    return write(edit === undefined ? text : applyEdits(text, [edit]))
  }
}

function withFinalNewline(content: string): string {
  return content === '' || content.endsWith('\n') ? content : `${content}\n`
}
