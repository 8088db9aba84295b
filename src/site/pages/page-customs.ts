import type { ReadFile } from '../files.ts'
import type { FrontMatterData } from './page.ts'

/** What is wrong with a key of a page's front matter. */
export interface FrontMatterNeed {
  key: string
  message: string
  hint: string
}

/** A file that a page needs, as it is written there. */
export interface FileReference {
  line: number
  text: string
  /** Paths of the repository that it may mean: one of them has to be there. */
  candidates: readonly string[]
  /** Whether endings such as `.ts` may be left out. */
  isCode?: boolean
}

/** What a framework asks of pages and does with them, for the checks. */
export interface PageCustoms {
  needsOf?: (data: FrontMatterData, path: string) => FrontMatterNeed[]
  /** Whether a page is shown without navigation, such as a landing page or the page for 404. */
  standsAlone?: (data: FrontMatterData) => boolean
  /** The line of front matter that keeps a page out of the navigation. */
  hiding?: string
  /** Lines in whose place the build puts text of its own. */
  filledIn?: RegExp
  /** The files that a page includes, besides those that it imports. `prose`: the text without its code. */
  references?: (
    page: { path: string; text: string; prose: () => string },
    read: ReadFile,
  ) => FileReference[] | Promise<FileReference[]>
  /** Whether a page whose dialect is MDX is read by the parser that is known here. */
  isCompiled?: (page: { path: string; text: string }, read: ReadFile) => Promise<boolean>
  /** How punctuation is treated in the ids of headings is not known. */
  hasLooseIds?: boolean
  /** Places that the build gives every page. */
  ownAnchors?: readonly string[]
  /** The pages define all labels that links may name: none are in files that are not read, or in other projects. */
  definesLabels?: boolean
  /** Only files of the folder of the pages are served. */
  servesOnlyRoot?: boolean
  /** It is not known where the site has its top, from which links with a slash at their start count. */
  hasUnknownTop?: boolean
}
