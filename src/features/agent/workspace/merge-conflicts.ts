import type { ConflictColumn, MaterialColumn } from '../../../store/tables.ts'
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

/** Files that still contain conflict markers of the turn's merges. */
export async function unresolvedConflicts(
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

/** Adds unresolved conflicts to the problems that are returned to the model. */
export function guardConflicts(
  toolbox: Toolbox,
  workspace: Workspace,
  material: MaterialColumn | null,
): Toolbox {
  if (material === null || material.markers.length === 0) return toolbox
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
