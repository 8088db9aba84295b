/** A regular file of a tree. Symbolic links and submodules are left out. */
export interface TreeFile {
  path: string
  /** Changes whenever the content does: the blob's id. */
  oid: string
}

/** A read-only view of a tree: the current one or the base. */
export interface FileView {
  /** Incremented with every change. */
  readonly revision: number
  list(): readonly TreeFile[]
  read(path: string): Promise<Uint8Array | undefined>
  /** Up to 100 files at once, in order. */
  readSome(paths: readonly string[]): Promise<(Uint8Array | undefined)[]>
}

/** Gives a file's text; undefined when there is none, or none that can be read. */
export type ReadFile = (path: string) => Promise<string | undefined>
