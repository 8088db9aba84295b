import { AppError } from '../../../lib/errors.ts'
import { requireSafePath } from './safe-path.ts'
import type { TreeView } from './view-tree.ts'

/** A file's new content, or its deletion when `content` is undefined. Without a `mode` an existing file keeps its own. */
export type FileChange = {
  path: string
  content: Uint8Array | undefined
  mode?: '100644' | '100755' | undefined
}

/**
 * Orders the changes as git can apply them and adds modes, after checking that none removes a file that is not
 * named.
 */
export function planChanges(changes: readonly FileChange[], view: TreeView): FileChange[] {
  const deleted = new Set(
    changes.filter((change) => change.content === undefined).map((change) => change.path),
  )
  const written = new Set<string>()
  for (const { path, content } of changes) {
    requireSafePath(path)
    if (written.has(path)) throw refused(path, 'it is named twice')
    written.add(path)
    const mode = view.modes.get(path)
    if (mode === '040000' && !deleted.has(path)) {
      if (!view.emptied(path, deleted)) throw refused(path, 'it is a folder')
    } else if (mode === '040000') throw refused(path, 'it is a folder: name its files')
    if (content !== undefined && (mode === '120000' || mode === '160000')) {
      throw refused(path, mode === '120000' ? 'it is a symbolic link' : 'it is a submodule')
    }
  }
  for (const { path, content } of changes) {
    if (content === undefined) continue
    for (const parent of parents(path)) {
      const mode = view.modes.get(parent)
      const isFile = mode !== undefined && mode !== '040000'
      if ((isFile && !deleted.has(parent)) || (written.has(parent) && !deleted.has(parent))) {
        throw refused(path, `${JSON.stringify(parent)} is a file or link, not a folder`)
      }
    }
  }
  // Deletions come first, because a folder may replace a file of the same name.
  const removals = changes.filter((change) => change.content === undefined)
  const additions = changes.filter((change) => change.content !== undefined)
  const modeOf = (path: string) => (view.modes.get(path) === '100755' ? '100755' : '100644')
  return [
    ...removals,
    ...additions.map((change) => ({ ...change, mode: change.mode ?? modeOf(change.path) })),
  ]
}

function refused(path: string, reason: string): AppError {
  return new AppError(
    'invalid',
    `The path ${JSON.stringify(path.slice(0, 200))} cannot be written: ${reason}`,
  )
}

function parents(path: string): string[] {
  const segments = path.split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
}
