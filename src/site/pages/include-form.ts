import type { ReadFile } from '../files.ts'
import type { Fence } from '../markdown/fence.ts'
import type { PageLine } from './page.ts'

/** How a part of a file is named. Lines count from 1. */
export interface Part {
  from?: number
  to?: number
  /** The lines between two comments that hold the name of a section, such as `--8<-- [start:name]`. */
  section?: string
  after?: string
  before?: string
}

/**
 * An include that takes lines `[start, end)` of a text. The first of the paths that exists is meant; without paths the
 * lines only mark something and are left out.
 */
export interface Include {
  start: number
  end: number
  paths: readonly string[]
  part: Part
  /** Links that begin with this are relative to the included file, wherever it is put. */
  relativeDocs?: string
  /** Before each line that is put in. */
  indent: string
}

/** Longer lines name no file. */
export const maxLine = 2000

/** Where an include stands. */
export interface IncludePlace {
  site: { root: string; configPaths: readonly string[] }
  /** The file that it is in. */
  from: string
  /** As `folders` of the form gives them. */
  folders?: readonly string[]
}

export type IncludeTarget = Pick<Include, 'paths' | 'part' | 'relativeDocs'>

/** How the files of a framework name the files that they include. */
export interface IncludeForm {
  /** An include that takes a whole line. */
  line?: (text: string, place: IncludePlace) => IncludeTarget | undefined
  /** Whether lines in code blocks are read too. */
  inCode?: boolean
  fence?: (fence: Fence, body: readonly PageLine[], place: IncludePlace) => IncludeTarget | undefined
  blocks?: (lines: readonly PageLine[], place: IncludePlace) => Include[]
  /** Folders in which the files of this page are looked up. */
  folders?: (source: string, site: IncludePlace['site'], read: ReadFile) => Promise<readonly string[]>
}

/** A range of lines: `3`, `3,5`, `3,`, `,5`. */
export function rangeOf(text: string, separator: string): Part {
  if (text === '') return {}
  const [from = '', to] = text.split(separator)
  const first = from === '' ? {} : { from: Number(from) }
  if (to === undefined) return from === '' ? {} : { ...first, to: Number(from) }
  return to === '' ? first : { ...first, to: Number(to) }
}

export function indentOf(text: string): string {
  return /^[ \t]*/.exec(text)?.[0] ?? ''
}
