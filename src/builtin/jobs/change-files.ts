import { lineEdits, type Change } from '../pages/find-text.ts'
import type { Plan } from '../replay.ts'
import { editFiles, readFiles, writeFile } from '../tools.ts'

export interface Changed {
  path: string
  /** Numbers of the changed lines, from 1. */
  lines: number[]
  count: number
}

/** Pages that are read and edited together, to limit how much text is in memory. */
const batch = 40

/**
 * Reads files, makes the changes that `find` returns for each, and retries files that changed meanwhile.
 * @param find returns the changes of a file, none, or why it cannot be changed
 */
export function* changeFiles(
  paths: readonly string[],
  find: (path: string, text: string) => Change[] | string,
): Plan<{ done: Changed[]; failed: { path: string; why: string }[] }> {
  const done: Changed[] = []
  const failed: { path: string; why: string }[] = []
  for (let from = 0; from < paths.length; from += batch) {
    let open = paths.slice(from, from + batch)
    for (let attempt = 0; attempt < 2 && open.length > 0; attempt++) {
      const work: {
        path: string
        isEmpty: boolean
        changes: Change[]
        edits: ReturnType<typeof lineEdits>
      }[] = []
      for (const [path, text] of yield* readFiles(open)) {
        const changes = text.ok ? find(path, text.value) : text.message
        if (typeof changes === 'string') failed.push({ path, why: changes })
        else if (text.ok && changes.length > 0)
          work.push({
            path,
            isEmpty: text.value === '',
            changes,
            edits: lineEdits(text.value, changes),
          })
      }
      const edited = work.filter(({ edits }) => edits.edits.length > 0)
      const answers = yield* editFiles(edited.map(({ path, edits: { edits } }) => ({ path, edits })))
      open = []
      for (const { path, isEmpty, changes, edits } of work) {
        const index = edited.findIndex((one) => one.path === path)
        if (index < 0 && !isEmpty) {
          failed.push({ path, why: 'it could not be edited' })
          continue
        }
        // An empty file has no line for an edit, so it is written.
        const written = changes.map((change) => change.replace).join('')
        const answer = index < 0 ? yield* writeFile(path, `${written}\n`) : answers[index]
        if (answer?.ok) done.push({ path, lines: edits.lines, count: changes.length })
        else if (attempt === 0 && repeatable.has(answer?.code ?? '')) open.push(path)
        else failed.push({ path, why: answer?.message ?? 'it could not be edited' })
      }
    }
  }
  return { done, failed }
}

const repeatable = new Set(['stale', 'not_read', 'not_found', 'ambiguous'])
