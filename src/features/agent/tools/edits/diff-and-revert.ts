import { posix } from 'node:path'
import { z } from 'zod'
import { contentHash } from '../../../../site/text/content-hash.ts'
import { decodeText } from '../../../../site/text/encoding.ts'
import { quote } from '../../../../lib/text/quote.ts'
import { ToolError } from '../../../../lib/tool-error.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Paths } from '../calls/paths.ts'
import { changedLines } from './text-difference.ts'
import { type AgentTool, defineTool } from '../calls/tool.ts'

const maxFiles = 200
const maxOfAll = 30_000
const maxOfOne = 8000

export function diffTool(workspace: Workspace, paths: Paths): AgentTool {
  return defineTool({
    name: 'diff',
    description: 'Shows your changes so far.',
    input: z.object({ path: z.string().optional() }),
    run: async ({ path: given = '' }) => {
      const all = await changedFiles(workspace)
      const path = given === '' || all.some((file) => file.path === given) ? given : await paths.folder(given)
      const files = all.filter(
        (file) => path === '' || file.path === path || file.path.startsWith(`${path}/`),
      )
      let left = maxOfAll
      const parts = files.slice(0, maxFiles).flatMap(({ path: name, from, before, after }) => {
        if (after === undefined) return []
        const most = Math.min(left, files.length === 1 ? maxOfAll : maxOfOne)
        const lines =
          before === 'binary' || after === 'binary'
            ? '(binary)'
            : changedLines(before ?? '', after, { context: 2, maxCharacters: most })
        if (lines === undefined || left <= 0) return []
        left -= lines.length
        return [`${quote(name)}${from === undefined ? '' : ` (was ${quote(from)})`}\n${lines}`]
      })
      return {
        files: files.slice(0, maxFiles).map((file) => ({ path: file.path, state: stateOf(file) })),
        ...(files.length > maxFiles || left <= 0 ? { truncated: true } : {}),
        ...(parts.length > 0 ? { diff: parts.join('\n') } : {}),
      }
    },
  })
}

/** A file that the turn has changed; `binary` in place of what is no text, undefined where there is no file. */
interface ChangedFile {
  path: string
  /** Where the file was before it was moved. */
  from?: string
  before: string | undefined
  after: string | undefined
}

async function changedFiles(workspace: Workspace): Promise<ChangedFile[]> {
  const files: ChangedFile[] = []
  for (const { path, content } of workspace.changes())
    files.push({ path, before: textOf(await workspace.readBase(path)), after: textOf(content) })
  const removed = new Set(files.filter(({ after }) => after === undefined).slice(0, maxFiles))
  const added = files.filter(({ before, after }) => before === undefined && after !== undefined)
  for (const isSame of [isAlikeByName, isIdentical, isAlike]) {
    for (const file of added.filter(({ from }) => from === undefined)) {
      const origin = [...removed].find((one) => isSame(one, file))
      if (origin === undefined) continue
      removed.delete(origin)
      file.from = origin.path
      file.before = origin.before
    }
  }
  const origins = new Set(files.map(({ from }) => from))
  return files.filter(({ path, after }) => after !== undefined || !origins.has(path))
}

function textOf(content: Uint8Array | undefined): string | undefined {
  return content === undefined ? undefined : (decodeText(content)?.text ?? 'binary')
}

function isAlikeByName(origin: ChangedFile, file: ChangedFile): boolean {
  const isNamed = posix.basename(origin.path) === posix.basename(file.path)
  return isNamed && (origin.before === file.after || isAlike(origin, file))
}

function isIdentical({ before }: ChangedFile, { after }: ChangedFile): boolean {
  return before === after && before !== 'binary'
}

/** Whether most lines of one text are in the other too. */
function isAlike({ before = '' }: ChangedFile, { after = '' }: ChangedFile): boolean {
  if (before === 'binary') return false
  const lines = new Set(before.split('\n'))
  const others = after.split('\n')
  const shared = others.filter((line) => lines.has(line)).length
  return shared * 2 > Math.max(lines.size, others.length)
}

function stateOf({ from, before, after }: ChangedFile): string {
  if (from !== undefined) return `moved from ${from}`
  if (after === undefined) return 'deleted'
  return before === undefined ? 'new' : 'changed'
}

export function revertFileTool(workspace: Workspace, paths: Paths): AgentTool {
  return defineTool({
    name: 'revert_file',
    changesFiles: true,
    description: 'Takes back your changes of a file.',
    input: z.object({ path: z.string() }),
    run: async ({ path: given }) => {
      const changed = new Set(workspace.changes().map(({ path }) => path))
      const path = changed.has(given) ? given : await paths.place(given)
      if (!changed.has(path)) {
        throw new ToolError('unchanged', `${quote(path)} is as it was at the start of this turn`, {
          changed: [...changed].slice(0, 50),
        })
      }
      const before = await workspace.readBase(path)
      if (before !== undefined) workspace.write(path, before)
      else workspace.remove(path)
      return before === undefined
        ? { path, removed: true, changed: [path] }
        : { path, hash: contentHash(before) }
    },
  })
}
