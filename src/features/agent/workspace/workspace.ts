import { createHash } from 'node:crypto'
import { quote } from '../../../lib/text/quote.ts'
import type { FileView, TreeFile } from '../../../site/files.ts'
import type { TreeEntry } from '../../../integrations/git/trees/list-tree.ts'
import type { BaseTree, Change, GrepOptions, GrepResult } from './base-tree.ts'
import { foldedPath, newPathObjection, pathObjection } from '../../../site/text/repository-path.ts'
import { ToolError } from '../../../lib/tool-error.ts'

/** One file of the final diff. Modes are git's: of the new file, and of the file in the base. */
export interface FileDifference {
  path: string
  before?: Uint8Array | undefined
  after?: Uint8Array | undefined
  mode?: string | undefined
  baseMode?: string | undefined
}

/**
 * A change of the overlay in one step: `restored` means that the file is as in the base again, so its entry is
 * removed.
 */
export type DirtyEntry =
  | { path: string; state: 'written'; content: Uint8Array }
  | { path: string; state: 'removed' }
  | { path: string; state: 'restored' }

const maxFiles = 5000
const maxBytes = 64 * 1024 * 1024
const maxFileBytes = 4 * 1024 * 1024

/** A tree with an overlay of changed files: nothing is checked out, and no link is ever followed. */
export async function openWorkspace(base: BaseTree, overlay: Iterable<Change> = []): Promise<Workspace> {
  const workspace = new Workspace(base, await base.listFiles())
  for (const { path, content } of overlay) workspace.restoreEntry(path, content)
  return workspace
}

export class Workspace implements FileView {
  readonly baseTree: BaseTree
  #tree = new Map<string, TreeEntry>()
  #overlay = new Map<string, { content: Uint8Array; oid: string } | undefined>()
  #dirty = new Set<string>()
  #bytes = 0
  #algorithm: 'sha1' | 'sha256'
  #listed: readonly TreeFile[] | undefined
  #folders: Map<string, string> | undefined
  /** Links and submodules, by folded and original path. */
  #links: [folded: string, path: string][] | undefined
  /** Incremented with every change, so that anything derived from the tree can be cached until then. */
  revision = 0

  constructor(base: BaseTree, files: readonly TreeEntry[]) {
    this.baseTree = base
    for (const file of files) this.#tree.set(file.path, file)
    this.#algorithm = files[0]?.oid.length === 64 ? 'sha256' : 'sha1'
  }

  /** Every regular file, sorted by path. */
  list(): readonly TreeFile[] {
    this.#listed ??= this.#collect()
    return this.#listed
  }

  has(path: string): boolean {
    if (this.#overlay.has(path)) return this.#overlay.get(path) !== undefined
    return isFile(this.#tree.get(path))
  }

  /** The blob id of a file, which changes with its content. */
  oid(path: string): string | undefined {
    if (this.#overlay.has(path)) return this.#overlay.get(path)?.oid
    const file = this.#tree.get(path)
    return isFile(file) ? file?.oid : undefined
  }

  /** @throws ToolError for a bad path, a link, a submodule. Undefined when there is no such file. */
  async read(path: string): Promise<Uint8Array | undefined> {
    requirePath(path)
    if (this.#overlay.has(path)) return this.#overlay.get(path)?.content
    return this.readBase(path)
  }

  /** The tree that the job started from, with `list` and `read` as here for the current tree. */
  base(): FileView {
    const files = [...this.#tree.values()].filter(isFile)
    const listed = files.map(({ path, oid }) => ({ path, oid }))
    return {
      revision: 0,
      list: () => listed,
      read: (path) => this.readBase(path),
      readSome: (paths) => this.#readBaseSome(paths),
    }
  }

  async readSome(paths: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    const untouched = paths.filter((path) => !this.#overlay.has(path))
    const read = await this.#readBaseSome(untouched)
    const contents = new Map(untouched.map((path, index) => [path, read[index]]))
    return paths.map((path) =>
      this.#overlay.has(path) ? this.#overlay.get(path)?.content : contents.get(path),
    )
  }

  async readBase(path: string): Promise<Uint8Array | undefined> {
    requirePath(path)
    const file = this.#tree.get(path)
    if (file === undefined) return undefined
    if (!isFile(file))
      throw new ToolError('not_a_file', `${quote(path)} is a ${kindOf(file)}, which is never followed`)
    return this.baseTree.read(path)
  }

  /** Writes a file's bytes. A new path that only differs in case from another file is refused. */
  write(path: string, content: Uint8Array): void {
    this.apply([{ path, content }])
  }

  /** @throws ToolError `not_found` when there is no such file. */
  remove(path: string): void {
    this.apply([{ path, content: undefined }])
  }

  /** Makes all of the changes or, if one of them is refused, none. */
  apply(changes: readonly Change[]): void {
    const removed = new Set(changes.flatMap(({ path, content }) => (content === undefined ? path : [])))
    let bytes = this.#bytes
    for (const { path, content } of changes) {
      if (content === undefined) this.#requireRemovable(path)
      else this.#requireWritable(path, removed)
      if (content !== undefined && content.length > maxFileBytes) {
        throw new ToolError('too_large', `${quote(path)} would be larger than 4 MiB`)
      }
      bytes += (content?.length ?? 0) - (this.#overlay.get(path)?.content.length ?? 0)
    }
    if (bytes > maxBytes || this.#overlay.size + changes.length > maxFiles) {
      throw new ToolError('too_large', 'This turn changes too much: 5,000 files or 64 MiB are the limit')
    }
    for (const { path } of changes) if (removed.has(path)) this.#set(path, undefined)
    for (const { path, content } of changes)
      if (content !== undefined) this.#set(path, Uint8Array.from(content))
  }

  /** The changes from the base tree, sorted by path. */
  changes(): Change[] {
    return [...this.#overlay]
      .map(([path, entry]) => ({ path, content: entry?.content }))
      .sort((one, other) => (one.path < other.path ? -1 : 1))
  }

  /** Whether there are changes that the journal does not hold yet. */
  get isDirty(): boolean {
    return this.#dirty.size > 0
  }

  /** The changes since the last call, for the journal. */
  takeDirty(): DirtyEntry[] {
    const entries = [...this.#dirty].map((path): DirtyEntry => {
      if (!this.#overlay.has(path)) return { path, state: 'restored' }
      const content = this.#overlay.get(path)?.content
      return content === undefined ? { path, state: 'removed' } : { path, state: 'written', content }
    })
    this.#dirty.clear()
    return entries
  }

  /** Applies the changes of a copy of this workspace, as its `takeDirty` returned them. */
  take(entries: readonly DirtyEntry[]): void {
    for (const entry of entries) {
      if (entry.state === 'restored') this.#restore(entry.path)
      else this.#set(entry.path, entry.state === 'written' ? entry.content : undefined)
    }
  }

  /** Restores an entry of a stored overlay without marking it dirty. */
  restoreEntry(path: string, content: Uint8Array | undefined): void {
    this.#set(path, content)
    this.#dirty.delete(path)
  }

  async grep(pattern: string, options: GrepOptions): Promise<GrepResult> {
    return this.baseTree.grep(this.changes(), pattern, options)
  }

  /** The final diff as it would be written: existing files keep their mode, new ones are regular files. */
  async differences(): Promise<FileDifference[]> {
    const differences: FileDifference[] = []
    for (const { path, content } of this.changes()) {
      const file = this.#tree.get(path)
      const before =
        isFile(file) && pathObjection(path) === undefined ? await this.baseTree.read(path) : undefined
      const mode = content === undefined ? undefined : file?.mode === '100755' ? '100755' : '100644'
      differences.push({ path, before, after: content, mode, baseMode: file?.mode })
    }
    return differences
  }

  /** The id that git gives to a file with this content. */
  idOf(content: Uint8Array): string {
    return createHash(this.#algorithm).update(`blob ${content.length}\0`).update(content).digest('hex')
  }

  /** Whether a folder holds a file. */
  hasFolder(path: string): boolean {
    return this.#folderNames().has(path)
  }

  async #readBaseSome(paths: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    if (this.baseTree.readSome === undefined) return Promise.all(paths.map((path) => this.readBase(path)))
    const files = paths.filter((path) => isFile(this.#tree.get(path)))
    const read = await this.baseTree.readSome(files)
    const contents = new Map(files.map((path, index) => [path, read[index]]))
    return paths.map((path) => contents.get(path))
  }

  #set(path: string, content: Uint8Array | undefined): void {
    const old = this.#overlay.get(path)
    this.#bytes += (content?.length ?? 0) - (old?.content.length ?? 0)
    const oid = content === undefined ? undefined : this.idOf(content)
    const file = this.#tree.get(path)
    if (content === undefined ? file === undefined : file?.oid === oid) {
      this.#overlay.delete(path)
      this.#bytes -= content?.length ?? 0
    } else this.#overlay.set(path, content === undefined || oid === undefined ? undefined : { content, oid })
    this.#touch(path)
  }

  #restore(path: string): void {
    this.#bytes -= this.#overlay.get(path)?.content.length ?? 0
    this.#overlay.delete(path)
    this.#touch(path)
  }

  #touch(path: string): void {
    this.#dirty.add(path)
    this.#listed = undefined
    this.#folders = undefined
    this.revision++
  }

  #collect(): TreeFile[] {
    const files: TreeFile[] = []
    for (const [path, file] of this.#tree) {
      if (!this.#overlay.has(path) && isFile(file)) files.push({ path, oid: file.oid })
    }
    for (const [path, entry] of this.#overlay) {
      if (entry !== undefined) files.push({ path, oid: entry.oid })
    }
    return files.sort((one, other) => (one.path < other.path ? -1 : 1))
  }

  // Folders by their exact path, and files and folders by their lower-case path to find collisions.
  #folderNames(): Map<string, string> {
    if (this.#folders !== undefined) return this.#folders
    const folders = new Map<string, string>()
    for (const { path } of this.list()) {
      for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
        const folder = path.slice(0, at)
        if (folders.has(folder)) break
        folders.set(folder, path)
      }
    }
    this.#folders = folders
    return folders
  }

  #requireRemovable(path: string): void {
    requirePath(path)
    const file = this.#tree.get(path)
    if (file !== undefined && !isFile(file)) {
      throw new ToolError('not_a_file', `${quote(path)} is a ${kindOf(file)}, which is never changed`)
    }
    if (!this.has(path)) throw new ToolError('not_found', `There is no file ${quote(path)}`)
  }

  #requireWritable(path: string, removed: ReadonlySet<string>): void {
    const present = this.#tree.get(path)
    if (present !== undefined && !isFile(present)) {
      requirePath(path)
      throw new ToolError('not_a_file', `${quote(path)} is a ${kindOf(present)}, which is never changed`)
    }
    if (this.has(path) || present !== undefined) {
      requirePath(path)
      return
    }
    const reason = newPathObjection(path)
    if (reason !== undefined)
      throw new ToolError('invalid_path', `${quote(path)} cannot be written: ${reason}`)
    if (this.hasFolder(path)) throw new ToolError('invalid_path', `${quote(path)} is a folder`)
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      const parent = path.slice(0, at)
      const entry = this.#tree.get(parent)
      if ((this.has(parent) && !removed.has(parent)) || (entry !== undefined && !isFile(entry))) {
        throw new ToolError(
          'invalid_path',
          `${quote(parent)} is not a folder, so nothing can be written below it`,
        )
      }
    }
    const same = this.#sameButForCase(path, removed)
    if (same !== undefined) {
      throw new ToolError('invalid_path', `${quote(path)} differs from ${quote(same)} in case only`, {
        existing: same,
      })
    }
    this.#requireNoLink(path)
  }

  #sameButForCase(path: string, removed: ReadonlySet<string>): string | undefined {
    const folded = foldedPath(path)
    const isAscii = folded.length === path.length && /^[ -~]*$/.test(path)
    const same = ({ path: other }: TreeFile) =>
      // The length alone distinguishes most paths.
      (!isAscii || other.length === path.length) && !removed.has(other) && foldedPath(other) === folded
    return this.list().find(same)?.path ?? this.#folderButForCase(path)
  }

  /** A folder that stands where a new one of the path would on a file system that ignores case. */
  #folderButForCase(path: string): string | undefined {
    const names = path.split('/').slice(0, -1)
    const files = this.list()
    const fresh = names
      .map((_, index) => `${names.slice(0, index + 1).join('/')}/`)
      .find((folder) => !files.some((file) => file.path.startsWith(folder)))
    if (fresh === undefined) return undefined
    const folded = foldedPath(fresh)
    const depth = fresh.split('/').length - 1
    const folders = new Set(files.map((file) => file.path.split('/').slice(0, -1).slice(0, depth).join('/')))
    return [...folders].find((folder) => foldedPath(`${folder}/`) === folded)
  }

  // On a file system that ignores case, a file below such a path would be written wherever the link points.
  #requireNoLink(path: string): void {
    this.#links ??= [...this.#tree]
      .filter(([, file]) => !isFile(file))
      .map(([link]) => [foldedPath(link), link])
    const folded = foldedPath(path)
    const match = this.#links.find(([link]) => folded === link || folded.startsWith(`${link}/`))
    if (match === undefined) return
    throw new ToolError(
      'invalid_path',
      `${quote(path)} differs from ${quote(match[1])}, a link or a submodule, in case only`,
    )
  }
}

/** @throws ToolError `invalid_path` */
export function requirePath(path: string): string {
  const reason = pathObjection(path)
  if (reason === undefined) return path
  throw new ToolError('invalid_path', `The path ${quote(path)} is not valid: ${reason}`)
}

function isFile(file: TreeEntry | undefined): boolean {
  return file !== undefined && file.mode.startsWith('100')
}

function kindOf(file: TreeEntry): string {
  return file.mode === '160000' ? 'submodule' : 'symbolic link'
}
