import type { PageDialect } from './active-parts.ts'

/** What the judge has to know of the tree that a job started from. */
export interface BaseSite {
  /** Of the base and of the tree as it is now. */
  paths: readonly string[]
  /** How many pages the site had. */
  pages: number
  dialectOf(path: string): PageDialect
  /** Files of the base with this text, in which order ever: a few are enough. */
  filesWith(text: string): Promise<readonly string[]>
  read(path: string): Promise<Uint8Array | undefined>
  /** The site's own configuration. */
  configPaths?: readonly string[]
  /** Names a file before its text is judged; false for one that took too long before. */
  begin?: (path: string, content: Uint8Array) => boolean
}
