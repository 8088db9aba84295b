import { keepNewest } from '../../../lib/keep-newest.ts'
import { splitAtNul } from './decode-path.ts'
import { diffArguments, diffConfiguration } from './diff-trees.ts'
import type { Repository } from '../git.ts'
import { requireObjectId } from '../object-id.ts'
import { runGit } from '../process/run-git.ts'

/**
 * `oldPath` only of renamed files. Modes as in `TreeEntry`, undefined on the side where the file does not exist: a link
 * or submodule shows there. Line counts are 0 for binary files.
 */
export type ChangedFile = {
  path: string
  oldPath: string | undefined
  status: 'added' | 'modified' | 'deleted' | 'renamed' | 'type_changed'
  mode: string | undefined
  oldMode: string | undefined
  oid: string | undefined
  oldOid: string | undefined
  additions: number
  deletions: number
  binary: boolean
}

const statuses: Readonly<Record<string, ChangedFile['status']>> = {
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  T: 'type_changed',
}

// Two trees never differ in another way, and a page is followed by its parts.
const kept = new Map<string, Promise<readonly ChangedFile[]>>()
const mostKept = 20
const mostFiles = 5000

/** The files that differ between two commits or trees. Paths that are not UTF-8 come with replacement characters. */
export async function changedFiles(
  repository: Repository,
  from: string,
  to: string,
): Promise<readonly ChangedFile[]> {
  const key = JSON.stringify([repository.folder, from, to])
  const files = kept.get(key) ?? readFiles(repository, from, to)
  keepNewest(kept, mostKept, key, files)
  files.then(
    ({ length }) => length > mostFiles && kept.delete(key),
    () => kept.delete(key),
  )
  return files
}

async function readFiles(repository: Repository, from: string, to: string): Promise<ChangedFile[]> {
  const { stdout } = await runGit(repository.git, {
    args: [
      'diff-tree',
      '-z',
      '--raw',
      '--numstat',
      '--no-abbrev',
      ...diffArguments,
      requireObjectId(from),
      requireObjectId(to),
    ],
    folder: repository.folder,
    config: diffConfiguration,
  })
  // First all records of --raw, then, in the same order, all of --numstat.
  const fields = [...splitAtNul(stdout)].map((field) => field.toString('utf8')).values()
  const files: ChangedFile[] = []
  let counted = 0
  for (const field of fields) {
    if (field.startsWith(':')) {
      files.push(rawRecord(field, fields))
      continue
    }
    const [additions = '', deletions = '', path = ''] = field.split('\t', 3)
    if (path === '') {
      fields.next()
      fields.next()
    }
    const file = files[counted++]
    if (file === undefined) continue
    file.binary = additions === '-'
    file.additions = Number(additions) || 0
    file.deletions = Number(deletions) || 0
  }
  return files
}

function rawRecord(field: string, fields: Iterator<string, undefined>): ChangedFile {
  const [oldMode = '', mode = '', oldOid = '', oid = '', letter = ''] = field.slice(1).split(' ')
  const first = fields.next().value ?? ''
  const renamed = letter.startsWith('R')
  return {
    path: renamed ? (fields.next().value ?? '') : first,
    oldPath: renamed ? first : undefined,
    status: statuses[letter.slice(0, 1)] ?? 'modified',
    mode: mode === '000000' ? undefined : mode,
    oldMode: oldMode === '000000' ? undefined : oldMode,
    oid: /^0+$/.test(oid) ? undefined : oid,
    oldOid: /^0+$/.test(oldOid) ? undefined : oldOid,
    additions: 0,
    deletions: 0,
    binary: false,
  }
}
