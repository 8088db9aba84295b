import { AppError } from '../../../lib/errors.ts'
import { decodePath, splitAtNul } from './decode-path.ts'
import type { Repository } from '../git.ts'
import { runGit } from '../process/run-git.ts'
import { isAttack } from './safe-path.ts'

/** What a change may collide with: the modes of the changed paths and of the folders above them. */
export type TreeView = {
  modes: ReadonlyMap<string, string>
  /** Whether a folder holds nothing but these files. */
  emptied: (folder: string, deleted: ReadonlySet<string>) => boolean
}

/** @throws AppError `invalid` for a tree that is not built upon */
export async function viewTree(
  repository: Repository,
  base: string | undefined,
  paths: readonly string[],
): Promise<TreeView> {
  if (base === undefined) return { modes: new Map(), emptied: () => true }
  const { stdout } = await runGit(repository.git, {
    args: ['ls-tree', '-r', '-t', '-z', '--full-tree', base],
    folder: repository.folder,
    maxBytes: 256 * 1024 * 1024,
  })
  const relevant = new Set(paths.flatMap(withParents))
  const named = new Set(paths)
  const modes = new Map<string, string>()
  const inside = new Map<string, (string | undefined)[]>()
  for (const record of splitAtNul(stdout)) {
    const tab = record.indexOf(9)
    const mode = record.toString('latin1', 0, 6)
    const bytes = record.subarray(tab + 1)
    const path = decodePath(bytes)
    if (isAttack(bytes.toString('utf8'), mode))
      throw new AppError(
        'invalid',
        `The repository contains the path ${JSON.stringify(bytes.toString('utf8'))}, which git refuses: remove it there first`,
      )
    // A changed path may be a folder in the base: then its files are remembered, including those whose names are
    // not UTF-8.
    for (const folder of mode === '040000' ? [] : withParents(bytes.toString('utf8')).slice(0, -1)) {
      if (!named.has(folder)) continue
      const files = inside.get(folder)
      if (files === undefined) inside.set(folder, [path])
      else files.push(path)
    }
    if (path !== undefined && relevant.has(path)) modes.set(path, mode)
  }
  return {
    modes,
    emptied: (folder, deleted) =>
      (inside.get(folder) ?? []).every((path) => path !== undefined && deleted.has(path)),
  }
}

function withParents(path: string): string[] {
  const segments = path.split('/')
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'))
}
