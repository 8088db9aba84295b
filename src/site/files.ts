/** A regular file of a tree. Links and submodules are not among them. */
export interface TreeFile {
  path: string
  /** Changes whenever the content does: the blob's id. */
  oid: string
}

/** What can be looked at without being changed: the tree of now or the base. */
export interface FileView {
  /** Grows when anything changes. */
  readonly revision: number
  list(): readonly TreeFile[]
  read(path: string): Promise<Uint8Array | undefined>
  /** Up to 100 files at once, in order. */
  readSome(paths: readonly string[]): Promise<(Uint8Array | undefined)[]>
}

/** Gives a file's text; undefined when there is none, or none that can be read. */
export type ReadFile = (path: string) => Promise<string | undefined>
