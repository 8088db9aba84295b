import type { Project } from '../../../features/projects/projects.ts'
import type { Repository } from '../../../integrations/git/git.ts'
import type { ChangedFile } from '../../../integrations/git/trees/changed-files.ts'
import type { CheckColumn, PageColumn } from '../../../store/columns.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import type { LineRow } from './review-data.ts'

/** A change and what is known about it. */
export interface Reviewed {
  project: Project
  repository: Repository
  /** Commits or trees; the same where nothing has changed. */
  from: string
  to: string
  /** The path of the page that shows it. */
  page: string
  checks: readonly CheckColumn[]
  /** Why each file was changed, by path. */
  reasons: ReadonlyMap<string, PageColumn>
  /** Files whose newest changes are not published. */
  kept: ReadonlySet<string>
  /** Whether the reader may load images of the repository. */
  images: boolean
}

export interface Place {
  path: string
  side: 'old' | 'new'
  line: number
  /** The first line of a block that ends with `line`. */
  first?: number
}

/** What others put into the part of a page that shows a change. */
export interface ReviewOptions {
  /** Printed below a line of source, or below the block that the line belongs to. */
  commentsAt?: (place: Place) => Html | undefined
  /** Where the small link at a line or block leads. */
  lineLink?: (place: Place) => string | undefined
  /** Paths of files that the reader has viewed: they are folded. */
  viewed?: ReadonlySet<string>
  /** What `commentsAt` prints for a file, so that a page knows when it is another. */
  versionOf?: (path: string) => string
  /** Stands in the heading of a file. */
  fileTools?: (path: string) => Html
}

/** A changed file with its id on the page, which stays the same when other files come. */
export interface ReviewFile extends ChangedFile {
  id: string
}

/** Everything that printing one file needs. */
export interface FileContext {
  file: ReviewFile
  options: ReviewOptions
  /** An address that shows more of this file. */
  more(query: Readonly<Record<string, string>>): string
  /** Problems at lines of the new file. */
  problems: ReadonlyMap<number, readonly CheckColumn[]>
  /** Noted for each line whose problems were printed. */
  shown: Set<number>
}

/** The places of a row of source, that of the new file last. */
export function placesOf(path: string, { kind, before, after }: LineRow): Place[] {
  if (kind === 'removed') return before === undefined ? [] : [{ path, side: 'old', line: before }]
  return after === undefined ? [] : [{ path, side: 'new', line: after }]
}
