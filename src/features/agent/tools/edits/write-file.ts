import { z } from 'zod'
import { contentHash } from '../../../../site/text/content-hash.ts'
import { decodeText, encodeEdited } from '../../../../site/text/encoding.ts'
import { applyEdits, encode, splitLines } from '../../../../site/text/text-file.ts'
import { editThroughView, viewText } from '../../../../site/text/text-view.ts'
import { type Workspace } from '../../workspace/workspace.ts'
import { quote } from '../../../../lib/text/quote.ts'
import { openText, type PathGuard } from '../calls/guarded-files.ts'
import { lineChanges } from '../calls/line-changes.ts'
import type { Paths } from '../calls/paths.ts'
import { notShown } from '../calls/shown-schema.ts'
import type { ReadRecord } from '../calls/read-record.ts'
import { changedLines, echoed } from './text-difference.ts'
import { type AgentTool, defineTool } from '../calls/tool.ts'
import { ToolError } from '../../../../lib/tool-error.ts'

const maxReplacedLines = 150
const maxCharacters = 1_000_000

export function writeFileTool(
  workspace: Workspace,
  {
    reads,
    guard,
    paths,
    unpublished,
  }: { reads: ReadRecord; guard: PathGuard; paths: Paths; unpublished: ReadonlySet<string> },
): AgentTool {
  return defineTool({
    name: 'write_file',
    changesFiles: true,
    description: 'Writes a new file, or rewrites your own or a short one that you read.',
    input: z.object({
      path: z.string(),
      content: z.string().max(maxCharacters),
      exact: z.boolean().optional().meta(notShown),
      encoding: z.literal('utf-8').optional().meta(notShown),
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
      const isOwn =
        unpublished.has(path) || (await workspace.readBase(path).catch(() => undefined)) === undefined
      const bytes =
        before === undefined
          ? encode(exact ? content : withFinalNewline(content))
          : replaced(path, before, content, { exact, encoding, isOwn })
      workspace.write(path, bytes)
      const hash = contentHash(bytes)
      const after = decodeText(bytes)?.text ?? ''
      const edited = { [path]: lineChanges(before?.text ?? '', after) ?? null }
      if (before === undefined) return { path, hash, edited, created: true }
      const diff = changedLines(before.text, after, echoed)
      return { path, hash, edited, ...(diff === undefined ? {} : { diff }) }
    },
  })

  function replaced(
    path: string,
    present: Awaited<ReturnType<typeof openText>>,
    content: string,
    wanted: { exact: boolean; encoding: 'utf-8' | undefined; isOwn: boolean },
  ): Uint8Array {
    if (!wanted.isOwn) requireWholeRead(reads, path, contentHash(present.content))
    const { text } = present
    const write = (after: string): Uint8Array =>
      wanted.encoding === undefined ? encodeEdited(after, present) : encode(after)
    if (wanted.exact) return write(content)
    if (!wanted.isOwn && splitLines(text).length > maxReplacedLines) {
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

function requireWholeRead(reads: ReadRecord, path: string, hash: string): void {
  const state = reads.state(path)
  if (state === undefined) {
    throw new ToolError(
      'not_read',
      `There is already a file ${quote(path)}: read it with read_file and edit it, or choose another path`,
    )
  }
  if (state === 'stale' || state.hash !== hash)
    throw new ToolError('stale', `${quote(path)} has changed since it was read: read it again`)
}

function withFinalNewline(content: string): string {
  return content === '' || content.endsWith('\n') ? content : `${content}\n`
}
