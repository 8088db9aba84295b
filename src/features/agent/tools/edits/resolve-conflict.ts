import { z } from 'zod'
import { contentHash } from '../../../../site/text/content-hash.ts'
import { encodeEdited } from '../../../../site/text/encoding.ts'
import { type Edit, applyEdits, splitLines } from '../../../../site/text/text-file.ts'
import { quote } from '../../../../lib/text/quote.ts'
import { ToolError } from '../../../../lib/tool-error.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { openText, type PathGuard } from '../calls/guarded-files.ts'
import { lineChanges } from '../calls/line-changes.ts'
import type { Paths } from '../calls/paths.ts'
import { type AgentTool, defineTool } from '../calls/tool.ts'
import { numberLines } from '../read-file.ts'
import { withoutFinalBreak } from './line-edits.ts'
import { changedLines, echoed } from './text-difference.ts'

const shownCommits = 10
const shortId = 12

/** A conflict that a merge has left in a text; lines count from 1. */
interface Conflict {
  first: number
  last: number
  ours: Side
  theirs: Side
}

interface Side {
  commit: string
  /** Lines of the side: from the first to before the end. */
  from: number
  to: number
}

export function resolveConflictTool(
  workspace: Workspace,
  { guard, paths }: { guard: PathGuard; paths: Paths },
): AgentTool {
  return defineTool({
    name: 'resolve_conflict',
    changesFiles: true,
    description:
      "Shows conflicts and the base's commits; take (theirs: the base's) or text resolves all, or one by number.",
    input: z.object({
      path: z.string(),
      take: z.enum(['ours', 'theirs']).optional(),
      text: z.string().optional(),
      conflict: z.number().int().min(1).optional(),
    }),
    run: async ({ path: given, take, text: wanted, conflict }, signal) => {
      const path = await paths.file(given)
      const before = await openText(workspace, path)
      const { text } = before
      const conflicts = conflictsIn(text)
      if (conflicts.length === 0)
        throw new ToolError('not_found', `${quote(path)} holds no conflict of a merge any more`)
      const [start] = conflicts
      if (take === undefined && wanted === undefined && start !== undefined)
        return show({ path, text, conflicts, start }, signal)
      await guard.requireWritable(path)
      const chosen = conflict === undefined ? conflicts : conflicts.slice(conflict - 1, conflict)
      const [only] = chosen
      if (only === undefined)
        throw new ToolError('not_found', `${quote(path)} holds ${conflicts.length} conflicts`)
      if (wanted !== undefined && chosen.length > 1)
        throw new ToolError('invalid_input', `${quote(path)} holds ${chosen.length} conflicts: say which one`)
      const current = applyEdits(
        text,
        chosen.map((one) => resolution(text, one, take, wanted)),
      )
      const content = encodeEdited(current, before)
      workspace.write(path, content)
      return {
        path,
        hash: contentHash(content),
        conflictsLeft: conflictsIn(current).length,
        edited: { [path]: lineChanges(text, current) ?? null },
        diff: changedLines(text, current, echoed),
      }
    },
  })

  async function show(
    { path, text, conflicts, start }: { path: string; text: string; conflicts: Conflict[]; start: Conflict },
    signal: AbortSignal,
  ) {
    const lines = splitLines(text).map(({ start, end }) => text.slice(start, end))
    const side = ({ from, to }: Side) => numberLines(lines.slice(from - 1, to - 1), from) || '(nothing)'
    const { history } = workspace.baseTree
    const log = await history
      ?.log(
        { path, from: start.ours.commit, to: start.theirs.commit, follows: false, limit: shownCommits },
        signal,
      )
      .catch((error: unknown) => {
        signal.throwIfAborted()
        if (error instanceof Error) return undefined
        throw error
      })
    return {
      path,
      conflicts: conflicts.map((one, index) => ({
        conflict: index + 1,
        ours: `ours, the text of this job:\n${side(one.ours)}`,
        theirs: `theirs, the text of the base:\n${side(one.theirs)}`,
      })),
      ...(log && {
        commitsOfBase: log.commits.map(({ id, date, author, subject }) => ({
          commit: id.slice(0, shortId),
          date,
          author,
          subject,
        })),
      }),
      shown: conflicts.map(({ first, last }) => ({ path, first, last })),
    }
  }
}

const marker = /^(<{7,100}|>{7,100}|\|{7,100}) ([0-9a-f]{40,64})/

function conflictsIn(text: string): Conflict[] {
  const conflicts: Conflict[] = []
  let ours: { first: number; commit: string; end: number | undefined; rule: number | undefined } | undefined
  for (const [index, { start, end }] of splitLines(text).entries()) {
    const line = text.slice(start, Math.min(end, start + 200))
    const number = index + 1
    const [, run = '', commit = ''] = marker.exec(line) ?? []
    if (run.startsWith('<')) ours = { first: number, commit, end: undefined, rule: undefined }
    else if (ours === undefined) continue
    else if (run.startsWith('|')) ours.end ??= number
    else if (line === '=======') ours.rule ??= number
    else if (run.startsWith('>') && ours.rule !== undefined) {
      const { first, rule, end: before = rule } = ours
      conflicts.push({
        first,
        last: number,
        ours: { commit: ours.commit, from: first + 1, to: before },
        theirs: { commit, from: rule + 1, to: number },
      })
      ours = undefined
    }
  }
  return conflicts
}

function resolution(
  text: string,
  { first, last, ours, theirs }: Conflict,
  take: 'ours' | 'theirs' | undefined,
  wanted: string | undefined,
): Edit {
  const lines = splitLines(text)
  const at = (line: number) => lines[line - 1]?.start ?? text.length
  const [start, end] = [at(first), at(last + 1)]
  if (wanted !== undefined) {
    const ending = lines[first - 1]?.ending ?? '\n'
    const plain = withoutFinalBreak(wanted).replaceAll('\r\n', '\n').replaceAll('\n', ending)
    return { start, end, text: wanted === '' ? '' : `${plain}${lines[last - 1]?.ending ?? ending}` }
  }
  const side = take === 'theirs' ? theirs : ours
  return { start, end, text: text.slice(at(side.from), at(side.to)) }
}
