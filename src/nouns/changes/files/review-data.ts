import type { Repository } from '../../../integrations/git/git.ts'
import type { LineView } from './review-request.ts'

/** A line of the source diff. `html` is safe to print. */
export interface LineRow {
  kind: 'added' | 'removed' | 'same'
  /** Numbers of the line in the file before and after. */
  before: number | undefined
  after: number | undefined
  html: string
  /** The line begins a group of changed lines. */
  starts: boolean
}

export type SourceRow =
  | LineRow
  /** Unchanged lines that are not shown, and what the diff says about the place. */
  | { kind: 'fold'; lines: number; place: string }
  | { kind: 'note'; text: string }

/** A part of the rows of a file. */
export interface SourceWindow {
  rows: SourceRow[]
  total: number
}

/** A part of a page as it is shown, with the lines of the file that it comes from. `html` is safe to print. */
export interface Block {
  html: string
  line: number
  end: number
}

export type BlockRow =
  /** `replaced`: with so little in common that no words of them are marked. */
  | { kind: 'same' | 'changed' | 'replaced'; before: Block; after: Block }
  /** Both in one: the later version with what was taken out of the earlier one. */
  | { kind: 'merged'; before: Pick<Block, 'line' | 'end'>; after: Block }
  | { kind: 'removed'; before: Block; after: undefined }
  | { kind: 'added'; before: undefined; after: Block }
  /** Unchanged blocks that are not shown. */
  | { kind: 'fold'; blocks: number }

export interface RenderedWindow {
  rows: BlockRow[]
  total: number
  /** How many places of the whole page have changed. */
  changes: number
}

export interface Window {
  from: number
  count: number
  /** Unchanged parts are shown too. */
  whole: boolean
}

export interface SourceTask {
  kind: 'source'
  /** Names what is compared: the thread keeps the newest files and asks for the texts of others. */
  id: string
  path: string
  oldPath: string
  /** Whether the lines get syntax colours. */
  coloured: boolean
  window: Window
}

/** What the rows of a source diff are made of. */
export interface SourceTexts {
  /** The file's part of the unified diff. */
  diff: string
  before: { id: string; text: string } | undefined
  after: { id: string; text: string } | undefined
}

export interface RenderedTask {
  kind: 'rendered'
  /** Changed blocks are merged into one, or stand beside each other. */
  lines: LineView
  before: PageVersion | undefined
  after: PageVersion | undefined
  window: Window
}

/** Where a page in another markup than Markdown is: what it becomes depends on its site. */
export interface PlaceInSite {
  repository: Repository
  /** A commit or a tree. */
  tree: string
  /** The project's documentation folder. */
  root: string
  path: string
}

/** A page before or after a change. */
export interface PageVersion {
  text: string
  mdx: boolean
  /** Where it is in another markup than Markdown. */
  place?: PlaceInSite | undefined
}

/** The addresses in a page before and after. */
export interface AddressesOfSides {
  before: string[]
  after: string[]
}

/** What stands for each address: where it leads on this server. */
export type Addresses = Record<string, string>

export interface ReviewThread {
  task: SourceTask | RenderedTask
  /** JSON: it is kept as it comes. */
  answer: string | undefined
  request: 'texts' | AddressesAsked
  reply: { texts: SourceTexts | undefined } | AddressesFound
}

export interface AddressesAsked {
  links: AddressesOfSides
  images: AddressesOfSides
}

export interface AddressesFound {
  links: { before: Addresses; after: Addresses }
  images: { before: Addresses; after: Addresses }
}
