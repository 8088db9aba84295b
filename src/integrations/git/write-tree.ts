import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../lib/errors.ts'
import type { Repository } from './git.ts'
import { requireObjectId } from './object-id.ts'
import { runGit } from './run-git.ts'
import { requireSafePath } from './safe-path.ts'
import { type TreeView, viewTree } from './view-tree.ts'

/** A file's new content, or its deletion when `content` is undefined. Without a `mode` an existing file keeps its own. */
export type FileChange = {
  path: string
  content: Uint8Array | undefined
  mode?: '100644' | '100755' | undefined
}

/**
 * Writes the tree that a base (a commit or tree; none means empty) becomes by the changes, and returns its id.
 * Everything that is not named stays byte for byte. Nothing refers to the result yet.
 * @throws AppError `invalid` for paths that are unsafe, named twice, below a link or file, or name a folder.
 */
export async function writeTree(
  repository: Repository,
  input: { base: string | undefined; changes: readonly FileChange[] },
): Promise<string> {
  const base = input.base === undefined ? undefined : requireObjectId(input.base)
  const view = await viewTree(
    repository,
    base,
    input.changes.map((change) => change.path),
  )
  const entries = plan(input.changes, view)
  await writeBlobs(
    repository,
    input.changes.flatMap((change) => change.content ?? []),
  )
  const folder = await mkdtemp(join(repository.git.folder, 'tmp', 'index-'))
  const call = { folder: repository.folder, environment: { GIT_INDEX_FILE: join(folder, 'index') } }
  try {
    const start = base === undefined ? ['read-tree', '--empty'] : ['read-tree', base]
    await runGit(repository.git, { ...call, args: start })
    if (entries.length > 0) {
      await runGit(repository.git, { ...call, args: ['update-index', '-z', '--index-info'], input: entries })
    }
    const { stdout } = await runGit(repository.git, { ...call, args: ['write-tree'] })
    return stdout.toString().trim()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function plan(changes: readonly FileChange[], view: TreeView): string[] {
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
  // Deletions first: a file may give way to a folder of the same name.
  const removals = changes.filter((change) => change.content === undefined)
  const additions = changes.filter((change) => change.content !== undefined)
  const zero = '0'.repeat(view.idLength)
  return [
    ...removals.map(({ path }) => `0 ${zero}\t${path}\0`),
    ...additions.map(({ path, content, mode }) => {
      const kept = mode ?? (view.modes.get(path) === '100755' ? '100755' : '100644')
      return `${kept} ${blobId(content ?? new Uint8Array(), view.idLength)}\t${path}\0`
    }),
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

function blobId(content: Uint8Array, idLength: number): string {
  const hash = createHash(idLength === 64 ? 'sha256' : 'sha1')
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex')
}

// One process for all of them; write-tree then refuses if one did not arrive.
async function writeBlobs(repository: Repository, contents: readonly Uint8Array[]): Promise<void> {
  if (contents.length === 0) return
  const input = function* (): Generator<string | Uint8Array> {
    for (const content of contents) {
      yield `blob\ndata ${content.length}\n`
      yield content
      yield '\n'
    }
    yield 'done\n'
  }
  await runGit(repository.git, {
    args: ['fast-import', '--quiet', '--done'],
    folder: repository.folder,
    input: input(),
  })
}
