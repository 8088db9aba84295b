import { z } from 'zod'
import type { SiteView } from '../../../../site/checks/site-view.ts'
import { contentHash } from '../../../../site/text/content-hash.ts'
import { encodeEdited } from '../../../../site/text/encoding.ts'
import { type Edit, applyEdits, encode, splitLines } from '../../../../site/text/text-file.ts'
import { quote } from '../../../../lib/text/quote.ts'
import { ToolError } from '../../../../lib/tool-error.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { openText, type PathGuard } from '../calls/guarded-files.ts'
import { lineChanges } from '../calls/line-changes.ts'
import type { Paths } from '../calls/paths.ts'
import type { ReadRecord } from '../calls/read-record.ts'
import { type AgentTool, defineTool } from '../calls/tool.ts'
import { moveReferences } from './move-references.ts'
import { insertLines, replaceLines, seenLines } from '../edits/line-edits.ts'
import { changedLines, echoed } from '../edits/text-difference.ts'

interface Ports {
  reads: ReadRecord
  guard: PathGuard
  paths: Paths
}

export function moveLinesTool(
  workspace: Workspace,
  view: SiteView,
  { reads, guard, paths }: Ports,
): AgentTool {
  return defineTool({
    name: 'move_lines',
    changesFiles: true,
    description:
      'Moves lines start to end, as last shown, before line `at` of `to`, else to its end or a new page.',
    input: z.object({
      from: z.string(),
      start: z.number().int().min(1),
      end: z.number().int().min(1),
      to: z.string(),
      at: z.number().int().min(1).optional(),
    }),
    run: async ({ from: given, start, end, to: wanted, at }) => {
      const from = await paths.file(given)
      const source = await openText(workspace, from)
      const to = await paths.place(wanted)
      await guard.requireWritable(from)
      await guard.requireWritable(to)
      const lines = seenLines(reads, { path: from, text: source.text }, { first: start, last: end })
      const place = at === undefined ? undefined : reads.lineNow(to, at)
      if (at !== undefined && place === undefined)
        throw new ToolError('stale', `${quote(to)} was changed in this answer: read it again`)
      if (from === to) return within(source, place)
      const target = workspace.has(to) ? await openText(workspace, to) : undefined
      const moved = await textThere(lines)
      const left = without(source.text, lines)
      const before = target?.text ?? ''
      const after = target === undefined ? `${moved}\n` : withLines(before, place, moved)
      const contents = new Map([
        [from, encodeEdited(left, source)],
        [to, target === undefined ? encode(after) : encodeEdited(after, target)],
      ])
      workspace.apply([...contents].map(([path, content]) => ({ path, content })))
      return {
        from,
        to,
        ...(target === undefined ? { created: true } : {}),
        ...outcome(contents, { [from]: [source.text, left], [to]: [before, after] }),
      }

      function within(file: typeof source, before: number | undefined) {
        const { text } = file
        if (before !== undefined && before > lines.first && before <= lines.last)
          throw new ToolError('invalid_input', '`at` is among the lines that move')
        const total = splitLines(text).length
        const down = before === undefined || before > lines.last
        const moving = textOf(text, lines)
        const count = lines.last - lines.first + 1
        const target = down ? (before ?? total + 1) - count : before
        const rest = without(text, lines)
        const isEnd = target > splitLines(rest).length
        const after = withLines(rest, isEnd ? undefined : target, moving)
        const contents = new Map([[from, encodeEdited(after, file)]])
        workspace.apply([...contents].map(([path, content]) => ({ path, content })))
        return { from, to: from, ...outcome(contents, { [from]: [text, after] }) }
      }

      // Links that are relative to the page lead to the same places from the other one.
      async function textThere({ first, last }: typeof lines): Promise<string> {
        const { text } = source
        const facts = await view.facts(from)
        const all = splitLines(text)
        const [begin, finish] = [all[first - 1]?.start ?? 0, all[last - 1]?.end ?? text.length]
        const paths = new Set(view.oids().keys())
        const after = await view.siteOf([...new Set([...paths, to])], new Map())
        const move = { moved: new Map<string, string>(), before: await view.site(), after, paths }
        const edits = facts === undefined ? [] : moveReferences(move, from, facts, { here: to })
        const inside = edits
          .filter((edit) => edit.start >= begin && edit.end <= finish)
          .map((edit): Edit => ({ ...edit, start: edit.start - begin, end: edit.end - begin }))
        return applyEdits(text.slice(begin, finish), inside)
      }
    },
  })
}

function outcome(
  contents: ReadonlyMap<string, Uint8Array>,
  texts: Readonly<Record<string, readonly [before: string, after: string]>>,
) {
  const diffs = Object.entries(texts).flatMap(([path, [before, after]]) => {
    const lines = changedLines(before, after, echoed)
    return lines === undefined ? [] : [`${quote(path)}\n${lines}`]
  })
  return {
    hashes: Object.fromEntries([...contents].map(([path, content]) => [path, contentHash(content)])),
    edited: Object.fromEntries(
      Object.entries(texts).map(([path, [before, after]]) => [path, lineChanges(before, after) ?? null]),
    ),
    diff: diffs.join('\n'),
  }
}

/** Headings stay apart from what is before them. */
function withLines(text: string, before: number | undefined, moved: string): string {
  const lines = splitLines(text).map(({ start, end }) => text.slice(start, end))
  const at = before ?? lines.length + 1
  const isApart = (line: string | undefined) => line === undefined || line.trim() === ''
  const [above, below] = [lines[at - 2], lines[at - 1]]
  const lead = moved.startsWith('#') && !isApart(above) ? '\n' : ''
  const tail = below?.startsWith('#') === true && !isApart(moved.split('\n').at(-1)) ? '\n' : ''
  return applyEdits(text, insertLines(text, before, `${lead}${moved}${tail}\n`).edits)
}

function textOf(text: string, { first, last }: { first: number; last: number }): string {
  const lines = splitLines(text)
  return text.slice(lines[first - 1]?.start ?? 0, lines[last - 1]?.end ?? text.length)
}

function without(text: string, lines: { first: number; last: number }): string {
  return applyEdits(text, replaceLines(text, lines, '').edits)
}
