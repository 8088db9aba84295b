import { decodePath, splitAtNul } from './decode-path.ts'
import type { Repository } from '../git.ts'
import { requireObjectId } from '../object-id.ts'
import { runGit } from '../process/run-git.ts'

const batch = 200

/** What a commit or tree has at these paths: files, links, submodules; folders are left out. `mode` as git writes it. */
export async function treeEntries(
  repository: Repository,
  tree: string,
  paths: Iterable<string>,
): Promise<Map<string, { oid: string; mode: string }>> {
  const wanted = [...new Set(paths)].filter(isPlain)
  const entries = new Map<string, { oid: string; mode: string }>()
  for (let at = 0; at < wanted.length; at += batch) {
    const { stdout } = await runGit(repository.git, {
      args: ['ls-tree', '-z', '--full-tree', requireObjectId(tree), '--', ...wanted.slice(at, at + batch)],
      folder: repository.folder,
      environment: { GIT_LITERAL_PATHSPECS: '1' },
    })
    for (const record of splitAtNul(stdout)) {
      const tab = record.indexOf(9)
      const path = decodePath(record.subarray(tab + 1))
      const [mode = '', type, oid = ''] = record.toString('latin1', 0, tab).split(' ')
      if (path !== undefined && type !== 'tree') entries.set(path, { oid, mode })
    }
  }
  return entries
}

// git refuses to look for what cannot be in a tree.
function isPlain(path: string): boolean {
  if (path.includes('\0') || path.length > 4000) return false
  return path.split('/').every((name) => name !== '' && name !== '.' && name !== '..')
}
