import type { TreeEntry } from '../../../integrations/git/trees/list-tree.ts'

export interface GrepOptions {
  regex: boolean
  ignoreCase: boolean
  /** Files and folders, taken literally; everything when empty. */
  paths: readonly string[]
  limit: number
  /** 100 by default. */
  limitPerFile?: number | undefined
}

export interface GrepResult {
  matches: { path: string; line: number; text: string }[]
  truncated: boolean
}

/** The port to the tree that a job started from. Callers pass only paths that it has listed. */
export interface BaseTree {
  listFiles(): Promise<readonly TreeEntry[]>
  /** Undefined for anything that is not a file or is too large to read. */
  read(path: string): Promise<Uint8Array | undefined>
  /** Reads up to 100 files at once, in order, if that is faster than one by one. */
  readSome?: (paths: readonly string[]) => Promise<(Uint8Array | undefined)[]>
  /**
   * Searches the base tree with the changes applied. Patterns are untrusted: the search has to run outside of this
   * process with a deadline, such as `git grep` over a written tree.
   * @throws AppError `invalid` for an invalid pattern
   */
  grep(changes: readonly Change[], pattern: string, options: GrepOptions): Promise<GrepResult>
  /** Undefined where there is none, as in tests. */
  history?: History
}

export interface LogQuery {
  /** A tag, a branch, a commit, a version (`2.14`) or a day (`2026-03-01`); the end is the tree's commit when not given. */
  from?: string | undefined
  to?: string | undefined
  /** A file or a folder; empty for all. */
  path: string
  /** Through renames of that file. */
  follows: boolean
  limit: number
}

/** The commits that led to a tree. Messages, names and diffs are texts of strangers. @throws AppError `not_found`, `unavailable` */
export interface History {
  log(
    query: LogQuery,
    signal: AbortSignal,
  ): Promise<{
    commits: { id: string; date: string; author: string; subject: string }[]
    hasMore: boolean
    isShallow: boolean
  }>
  /** Newest first. */
  tags(limit: number): Promise<{ name: string; date: string }[]>
  /** What a commit changed compared with its first parent, of a file, a folder or, with an empty path, all. */
  show(commit: string, path: string): Promise<ShownCommit>
  /** The unified diff of some files between two commits or trees, by their ids. */
  diff(
    input: { from: string; to: string; paths: readonly string[] },
    signal: AbortSignal,
  ): Promise<{ text: string; truncated: boolean }>
}

export interface ShownCommit {
  id: string
  /** Its first parent, or the empty tree. */
  parent: string
  date: string
  author: string
  message: string
  files: {
    path: string
    oldPath: string | undefined
    status: string
    additions: number
    deletions: number
  }[]
  filesLeftOut: number
}

/** The new content of a file; undefined when it is removed. */
export interface Change {
  path: string
  content: Uint8Array | undefined
}
