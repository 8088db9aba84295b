import { createFences } from '../../../site/markdown/fence.ts'
import { readLine } from '../../../site/markdown/line.ts'
import type { ConflictColumn, FailureColumn, MaterialColumn } from '../../../store/columns.ts'
import type { Toolbox } from './toolbox.ts'
import type { Workspace } from './workspace.ts'

/** The conflict in a file's text, if a merge of these commits has left one there. */
export function conflictIn(
  path: string,
  content: Uint8Array,
  commits: readonly string[],
): ConflictColumn | undefined {
  const { opened, rules } = countMarkers(content, commits)
  return opened === 0 ? undefined : { path, state: 'markers', rules: Math.max(0, rules - opened) }
}

/** Files that still contain conflict markers of the turn's merges, or new ones that the model wrote. */
export async function unresolvedConflicts(
  workspace: Workspace,
  material: MaterialColumn | null,
): Promise<{ path: string; line: number }[]> {
  const unresolved = await unresolvedMerges(workspace, material)
  const known = new Set(unresolved.map(({ path }) => path))
  return [...unresolved, ...(await writtenMarkers(workspace)).filter(({ path }) => !known.has(path))]
}

async function unresolvedMerges(
  workspace: Workspace,
  material: MaterialColumn | null,
): Promise<{ path: string; line: number }[]> {
  if (material === null || material.markers.length === 0) return []
  const marked = [...(material.merge?.conflicts ?? []), ...(material.carried?.conflicts ?? [])].filter(
    ({ state }) => state === 'markers',
  )
  const allowed = new Map(marked.map(({ path, rules }) => [path, rules]))
  const paths = new Set([...allowed.keys(), ...workspace.changes().map(({ path }) => path)])
  const unresolved: { path: string; line: number }[] = []
  for (const path of paths) {
    const content = workspace.has(path) ? await workspace.read(path) : undefined
    if (content === undefined) continue
    const { first, rules, firstRule } = countMarkers(content, material.markers)
    // A separator line of `=` is also a Markdown heading underline, so only more of them than the text had before
    // are counted.
    const left = first ?? (rules > (allowed.get(path) ?? Infinity) ? firstRule : undefined)
    if (left !== undefined) unresolved.push({ path, line: left })
  }
  return unresolved
}

// Markers that were there before stay, also in a file that was moved.
async function writtenMarkers(workspace: Workspace): Promise<{ path: string; line: number }[]> {
  const changes = workspace.changes()
  const marked = changes.flatMap(({ path, content }) => {
    const lines = markerLines(content)
    const [line] = lines
    return line === undefined ? [] : { path, line, count: lines.length }
  })
  if (marked.length === 0) return []
  const before = new Map<string, number>()
  for (const { path, mode } of await workspace.baseTree.listFiles())
    if (mode.startsWith('100') && changes.some((change) => change.path === path))
      before.set(path, markerLines(await workspace.readBase(path)).length)
  const removed = changes.filter(({ content }) => content === undefined)
  const moved = removed.reduce((sum, { path }) => sum + (before.get(path) ?? 0), 0)
  return marked.filter(({ path, count }) => count > (before.get(path) ?? moved))
}

/** Lines of `<<<<<<<` and `>>>>>>>` outside of fenced code, where a page may show such markers. */
function markerLines(content: Uint8Array | undefined): number[] {
  const markers: number[] = []
  const text = Buffer.from(content ?? []).toString('latin1')
  if (!text.includes('<<<<<<<') && !text.includes('>>>>>>>')) return markers
  const fences = createFences()
  for (const [index, line] of text.split('\n').entries())
    if (!fences.holds(readLine(line)) && /^(?:<{7}|>{7})(?:\s|$)/.test(line)) markers.push(index + 1)
  return markers
}

export function conflictFailure(base: string, unresolved: readonly { path: string }[]): FailureColumn {
  const files = unresolved.slice(0, 10).map(({ path }) => path)
  const message = `Conflict markers are left in ${files.join(', ')}: send a message to try again, or merge ${base} by hand`
  return { code: 'conflict', message }
}

/** Adds unresolved conflicts to the problems that are returned to the model. */
export function guardConflicts(
  toolbox: Toolbox,
  workspace: Workspace,
  material: MaterialColumn | null,
): Toolbox {
  return {
    ...toolbox,
    newProblems: async (signal) => [
      ...(await unresolvedConflicts(workspace, material)).map(({ path, line }) => ({
        check: 'conflict',
        severity: 'error' as const,
        path,
        line,
        message: 'A conflict of the merge is not resolved: its markers are still in the text',
        hint: 'Write the text as it should read with both sides in it, and remove the lines of <<<<<<<, ======= and >>>>>>>',
      })),
      ...(await toolbox.newProblems(signal)),
    ],
  }
}

function countMarkers(
  content: Uint8Array,
  commits: readonly string[],
): { opened: number; rules: number; first: number | undefined; firstRule: number | undefined } {
  let opened = 0
  let rules = 0
  let first: number | undefined
  let firstRule: number | undefined
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  let line = 0
  for (let at = 0; at < bytes.length; line++) {
    const end = bytes.indexOf(10, at)
    const next = end === -1 ? bytes.length : end + 1
    const sign = bytes[at]
    // < = > |
    if (sign === 60 || sign === 61 || sign === 62 || sign === 124) {
      const text = bytes.toString('latin1', at, Math.min(next, at + 200)).trimEnd()
      const [, run = '', commit = ''] = /^(<{7,100}|>{7,100}|\|{7,100}) ([0-9a-f]{40,64})/.exec(text) ?? []
      if (run !== '' && commits.includes(commit)) {
        if (run.startsWith('<')) opened++
        first ??= line + 1
      }
      if (text === '=======') {
        rules++
        firstRule ??= line + 1
      }
    }
    at = next
  }
  return { opened, rules, first, firstRule }
}
